// Why a table or one of its rows is not imported.

internal import RecordStore
internal import Records

extension ImportError: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .typeName, .unmapped, .unknownField, .unknownColumn, .unusableKey: .usage
    case .empty, .tookNone: .failed
    }
  }

  var sentence: String {
    switch self {
    case .empty: "Nothing was imported: the file has no rows."
    case .typeName(let name):
      "'\(name)' can't be the name of a type: letters, digits and _ are taken, a letter first."
    case .unmapped(let columns, let type):
      "\(type) has no field for \(list(columns.map { "'\($0)'" })): name one with --map "
        + "'\(columns.first ?? "")=field', or leave the column out with --map "
        + "'\(columns.first ?? "")='."
    case .unknownField(let name, let known):
      "There is no field '\(name)'. The fields: \(list(known))."
    case .unknownColumn(let name, let known):
      "The file has no column '\(name)'. Its columns: \(list(known))."
    case .unusableKey(let name):
      "'\(name)' can't be a key: a key is a text, a number, a date or a reference."
    case .tookNone(let report):
      "Nothing was imported: none of \(report.refusedCount) rows could be taken."
    }
  }
}

extension RefusedRow {
  /// The line and what is wrong there: `line 12: 'many' does not fit 'population': …`.
  var sentence: String { "line \(line): \(reason.words)" }
}

extension RefusedRow.Reason {
  var words: String {
    switch self {
    case .row(let problem): problem.words
    case .value(let column, let text, let mistake):
      "'\(shortened(text))' does not fit '\(column)': \(mistake.words)"
    case .problem(let problem): problem.words
    case .tooManyFields(let count):
      "\(count) \(count == 1 ? "value stands" : "values stand") behind the last column"
    case .unknownField(let name): "there is no field '\(name)'"
    case .identity(let text): "'\(shortened(text))' is not the id of a record"
    case .takenIdentity(let id): "the id \(id) belongs to another record, or to a purged one"
    case .noReference(let column, let title):
      "'\(column)': no record is called '\(shortened(title))'"
    case .severalReferences(let column, let title):
      "'\(column)': several records are called '\(shortened(title))'"
    case .zeroCharacter(let column): "'\(column)' holds the character U+0000"
    }
  }
}

extension RowProblem {
  var words: String {
    switch self {
    case .invalidText(let column):
      "column \(column + 1) is not text in the file's encoding (see --encoding)"
    case .unclosedQuote: "a quotation mark is not closed before the file ends"
    case .fieldTooLong(let bytesMax): "a value is longer than \(bytesMax) bytes"
    case .tooManyFields(let max): "there are more than \(max) values"
    case .json(let mistake): "\(mistake.kind.words) (column \(mistake.column))"
    case .notAnObject: "an object of fields is expected"
    }
  }
}
