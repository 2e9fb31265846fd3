// Sentences of importing.

package import RecordStore
package import Records
internal import ViewModels
package import Wording

extension Words {
  var importTitle: String { self("Import", "読み込み") }
  var importExplained: String {
    self(
      "The path of a CSV, TSV, JSON or NDJSON file; Tab completes.", "CSV・TSV・JSON のパス。Tab で補完します。")
  }
  func importOf(_ file: String) -> String { self("Import \(file)", "\(file) の読み込み") }
  func importInto(_ type: String, isNew: Bool, key field: String?) -> String {
    let kind = isNew ? self(" (a new type)", "（新しい種類）") : ""
    guard let field else {
      return self(
        "Into \(type)\(kind): every row becomes a new record; K chooses a key.",
        "\(type)\(kind) へ: すべての行が新しいレコードになります。K でキーを選びます。")
    }
    return self("Into \(type)\(kind), updated by \(field).", "\(type)\(kind) へ、\(field) で更新。")
  }
  var column: String { self("Column", "列") }
  var samples: String { self("Values", "値") }
  var leftOut: String { self("(left out)", "（省く）") }
  var leaveOut: String { self("Leave this column out", "この列を省く") }
  var readingFile: String { self("Reading the file…", "ファイルを読んでいます…") }
  var importRuns: String { self("The import is running.", "読み込みの実行中です。") }
  var importDone: String { self("The import is done.", "読み込みは終わりました。") }
  var importCancelled: String { self("Nothing of the file is in the library.", "何も読み込まれていません。") }
  var importUndoHint: String { self("u takes it back.", "u で取り消します。") }
  func wouldTakeNone(of rows: Int) -> String {
    self("none of \(importing.rows(rows)) could be taken.", "\(rows) 行のどれも読み込めません。")
  }
  var tried: String { self("A try, nothing written:", "試行（書き込みなし）:") }
  var allMapped: String { self("Every column has a field.", "すべての列に行き先があります。") }
  var notImported: String { self("Nothing was imported yet.", "まだ読み込んでいません。") }
  var importTypeExplained: String {
    self("A type of this library, or a new name.", "既存の種類か、新しい名前。")
  }
  var noKey: String { self("No key: every row is a new record", "キーなし: すべて新規") }
  var keyTitle: String { self("Update by", "更新のキー") }
  var toldFromFile: String { self("told from the file", "自動判別") }
  var encoding: String { self("Encoding", "文字コード") }
  var separator: String { self("Separator", "区切り") }
  var readOtherwise: String {
    self("; c and s name others.", "。c と s で変えられます。")
  }

  /// What the file was taken for, without an end.
  package func readAs(_ encoding: TextEncoding, _ format: TableFormat) -> String {
    let name = self.name(of: encoding)
    return switch format {
    case .csv(let delimiter):
      importing.readAs(name, form: "CSV", separator: self.name(ofDelimiter: delimiter))
    case .json: importing.readAs(name, form: "JSON", separator: nil)
    case .ndjson: importing.readAs(name, form: "NDJSON", separator: nil)
    }
  }

  func name(of encoding: TextEncoding) -> String {
    switch encoding {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .shiftJIS: "Shift JIS"
    case .windows1252: "Windows-1252"
    case .latin1: "ISO 8859-1"
    }
  }

  func name(ofDelimiter byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: ","): importing.commas
    case UInt8(ascii: ";"): importing.semicolons
    case 0x09: importing.tabs
    case UInt8(ascii: "|"): importing.bars
    default: "'\(Character(Unicode.Scalar(byte)))'"
    }
  }

  func sentence(for failure: ImportFailure, in model: Model) -> String {
    switch failure {
    case .table(let error): sentence(for: error)
    case .other(let failure): sentence(for: failure, in: model)
    }
  }

  private func sentence(for error: ImportError) -> String {
    switch error {
    case .empty: importing.empty
    case .typeName(let name): importing.typeName(name)
    case .unmapped(let columns, let type):
      // The command line names its options here; this screen its keys.
      self(
        "\(type) has no field for \(list(columns)): choose one with Enter, or x leaves them out.",
        "\(type) に \(list(columns)) のフィールドがありません。Enter で選ぶか、x で省きます。")
    case .unknownField(let name, let known): importing.noField(name, known: known)
    case .unknownColumn(let name, let known): importing.noColumn(name, known: known)
    case .unusableKey(let name): importing.unusableKey(name)
    case .tooManyColumns(let columns, let most): importing.tooManyColumns(columns, max: most)
    case .zeroBytes: importing.zeroBytes
    case .compressed: importing.compressed
    case .rowTooLong(let line, let most): importing.rowTooLong(line: line, megabytesMax: most >> 20)
    case .tookNone(let report): importing.tookNone(of: report.refusedCount)
    }
  }

  /// Why a row is refused.
  package func clause(for reason: RefusedRow.Reason) -> String {
    switch reason {
    case .row(let problem): clause(for: problem)
    case .value(let column, let text, let mistake):
      importing.value(text, field: column, because: clause(for: mistake))
    case .problem(let problem): clause(for: problem)
    case .tooManyFields(let number): importing.overflow(number)
    case .unknownField(let name): importing.unknownField(name)
    case .identity(let text): importing.identity(text)
    case .takenIdentity(let id): importing.takenIdentity(id.description)
    case .noReference(let column, let title): importing.noReference(title, field: column)
    case .severalReferences(let column, let title):
      importing.severalReferences(title, field: column)
    case .zeroCharacter(let column): importing.zeroCharacter(field: column)
    }
  }

  private func clause(for problem: RowProblem) -> String {
    switch problem {
    case .invalidText(let column): importing.invalidText(column: column + 1)
    case .unclosedQuote: importing.unclosedQuote
    case .fieldTooLong(let most): importing.fieldTooLong(bytesMax: most)
    case .tooManyFields(let most): importing.tooManyFields(max: most)
    case .json(let mistake):
      importing.brokenJSON(column: mistake.column, clause(for: mistake.kind))
    case .notAnObject: importing.notAnObject
    }
  }
}
