// The SQL function behind `~` for needles that LIKE can't fold. Used in queries only, never in the
// schema. A million rows ask it in one scan, so it takes the bytes as SQLite has them, and reads the
// needle once a statement. Runs on whatever queue steps the statement.

internal import GRDB
internal import GRDBSQLite
internal import Records

/// `skyros_text_contains(text, needle)`.
enum TextMatchFunction {
  static let name = "skyros_text_contains"

  /// The needle of one statement, kept by SQLite as long as that runs (auxdata).
  private final class Needle {
    let match: TextMatch

    init(_ match: TextMatch) { self.match = match }
  }

  static func add(to db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT,
          sqlite3_value_type(values[1]) == SQLITE_TEXT
        else { return sqlite3_result_null(context) }
        let matches = TextMatchFunction.bytes(of: values[0]) { text in
          TextMatchFunction.needle(context, values[1]).matches(utf8: text)
        }
        sqlite3_result_int(context, matches ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func bytes<T>(
    of value: OpaquePointer?, _ body: (UnsafeBufferPointer<UInt8>) -> T
  ) -> T {
    // The text before its length (c3ref/value_blob.html).
    let text = sqlite3_value_text(value)
    return body(UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
  }

  private static func needle(_ context: OpaquePointer?, _ value: OpaquePointer?) -> TextMatch {
    if let known = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Needle>.fromOpaque(known).takeUnretainedValue().match
    }
    let match = bytes(of: value) { TextMatch(String(decoding: $0, as: UTF8.self)) }
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(Needle(match)).toOpaque()) { kept in
      kept.map { Unmanaged<Needle>.fromOpaque($0).release() }
    }
    return match
  }
}
