// Why a table or one of its rows is not imported.

internal import RecordStore
internal import Records
internal import Screens
internal import Wording

extension ImportError: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .typeName, .unmapped, .unknownField, .unknownColumn, .unusableKey: .usage
    case .empty, .tooManyColumns, .zeroBytes, .compressed, .rowTooLong, .tookNone: .failed
    }
  }

  var sentence: String {
    let words = Words.system.importing
    return switch self {
    case .empty: words.empty
    case .typeName(let name): words.typeName(name)
    case .unmapped(let columns, let type):
      words.unmapped(columns.map { "'\($0)'" }, type: type, example: columns.first ?? "")
    case .unknownField(let name, let known): words.noField(name, known: known)
    case .unknownColumn(let name, let known): words.noColumn(name, known: known)
    case .unusableKey(let name): words.unusableKey(name)
    case .tooManyColumns(let columns, let most): words.tooManyColumns(columns, max: most)
    case .zeroBytes: words.zeroBytes
    case .compressed: words.compressed
    case .rowTooLong(let line, let most): words.rowTooLong(line: line, megabytesMax: most >> 20)
    case .tookNone(let report): words.tookNone(of: report.refusedCount)
    }
  }
}

extension RefusedRow {
  /// The line and what is wrong there: `line 12: 'many' does not fit 'population': …`.
  var sentence: String {
    Words.system.importing.refused(line: line, element: element, reason.words)
  }
}

extension RefusedRow.Reason {
  var words: String { Words.system.clause(for: self) }
}
