// What an import is asked for, and what came of it. Values only; sentences are made in Wording.

package import Records

/// A table to import.
package struct ImportRequest: Sendable {
  /// The file.
  package var path: String
  /// What a person calls the type.
  ///
  /// It is made from the file when the library does not have it.
  package var type: String
  /// The field, or the file's column, by which a row finds the record that it updates.
  ///
  /// Nothing: the type's own natural key, where it has one.
  package var key: String?
  /// Columns of the file that go into fields of another name; into the empty name: into none.
  package var map: [String: String] = [:]
  /// Nothing: told from the file.
  package var encoding: TextEncoding?
  /// Nothing: told from the file's name and its first bytes.
  package var format: TableFormat?
  /// Does everything and takes it back: for a preview of what would come of it.
  package var isDryRun = false
  package var time: LocalTime

  package init(path: String, type: String, time: LocalTime) {
    self.path = path
    self.type = type
    self.time = time
  }
}

/// How far an import is.
package struct ImportProgress: Sendable, Hashable {
  package enum Phase: Sendable, Hashable {
    /// Reads the values to tell the types of the columns.
    case examining
    case writing
  }

  package let phase: Phase
  /// Bytes read of the file in this phase.
  package let bytes: Int64
  package let totalBytes: Int64
  package let rows: Int
}

/// What came of an import.
package struct ImportReport: Sendable, Hashable {
  /// The most refused rows that are kept with their reasons; all are counted.
  package static let refusedMax = 10_000

  package var type: TypeID
  /// What the file was taken for.
  package let encoding: TextEncoding
  package let format: TableFormat
  /// Whether the import made the type.
  package var isNewType = false
  /// Nothing where nothing was written.
  package var transaction: Int64?
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// The first ``refusedMax`` of them.
  package var refused: [RefusedRow] = []
  package var refusedCount = 0

  package init(type: TypeID, encoding: TextEncoding, format: TableFormat) {
    self.type = type
    self.encoding = encoding
    self.format = format
  }

  package var takenCount: Int { added + updated + unchanged }

  mutating func refuse(_ row: RefusedRow) {
    refusedCount += 1
    if refused.count < Self.refusedMax { refused.append(row) }
  }
}

/// A row that was not taken.
package struct RefusedRow: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case row(RowProblem)
    /// A text that does not read as a value of its column's field.
    case value(column: String, text: String, ValueMistake)
    /// What a constraint of the model does not allow.
    case problem(FieldProblem)
    /// Fields behind the last column.
    case tooManyFields(Int)
    case unknownField(String)
    /// `_id` that is no id.
    case identity(String)
    /// The record is of another type, or was purged.
    case takenIdentity(RecordID)
    case noReference(column: String, title: String)
    case severalReferences(column: String, title: String)
    /// Text with U+0000, which the file can't hold.
    case zeroCharacter(column: String)
  }

  /// The row's first line in the file, from 1.
  package let line: Int
  /// Which of a JSON array's elements it is, where several stand on its line.
  package var element: Int?
  package let reason: Reason
}

/// Why a table can't be imported at all.
package enum ImportError: Error, Sendable, Hashable {
  /// No header, no rows.
  case empty
  /// The name can't be the name of a type.
  case typeName(String)
  /// Columns that the type has no field for.
  case unmapped([String], type: String)
  /// A field, named in `map` or as the key, that the type does not have.
  case unknownField(String, known: [String])
  /// A column, named in `map`, that the file does not have.
  case unknownColumn(String, known: [String])
  /// The field can't be a key: references, tags, attachments.
  case unusableKey(String)
  /// A new type would have more fields than a model may have.
  case tooManyColumns(Int, max: Int)
  /// NUL bytes where a text has its first line.
  case zeroBytes
  /// The file is one of gzip.
  case compressed
  /// A row, which begins in this line, goes on and on.
  case rowTooLong(line: Int, bytesMax: Int)
  /// No row could be taken; nothing was written.
  ///
  /// None that was refused either: a header and nothing behind it.
  case tookNone(ImportReport)

  /// What keeps a file from being a table, told from its first bytes.
  ///
  /// - Parameter encoding: The one that a person named.
  package init?(head: [UInt8], encoding: TextEncoding?) {
    if head.starts(with: [0x1F, 0x8B]) {
      self = .compressed
      return
    }
    switch encoding ?? TextEncoding.detect(head) {
    case .utf16LittleEndian, .utf16BigEndian: return nil
    case .utf8, .shiftJIS, .windows1252, .latin1: break
    }
    let first = head.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    // JSON says by itself where it is none.
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") { return nil }
    // Behind the first line they refuse their rows, and no others.
    guard head.prefix(while: { $0 != 0x0A && $0 != 0x0D }).contains(0) else { return nil }
    self = .zeroBytes
  }
}

/// A table as it was understood, for a person to look at before it is imported.
package struct ImportPreview: Sendable, Hashable {
  package let encoding: TextEncoding
  package let format: TableFormat
  package let columns: [String]
  /// The first rows as text.
  package let rows: [[String]]
  /// The library's type, or the one that would be made.
  package let type: RecordType
  package let isNewType: Bool
  /// Per column, the field that it goes into.
  package let fields: [FieldID?]
}
