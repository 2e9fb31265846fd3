// What is wrong with a value, a filter or a model, as the end of a sentence.

internal import ModelFile
internal import RecordStore
internal import Records

extension ValueMistake {
  /// What was expected.
  var words: String {
    switch self {
    case .integer: "a whole number is expected"
    case .integerRange: "the number is too large"
    case .number: "a number is expected"
    case .decimal: "a decimal number is expected, like 12.50"
    case .boolean: "true or false is expected"
    case .date: "a date is expected, like 2026-11-21 or today+7d"
    case .dateTime: "a date and time is expected, like 2026-11-21T09:30"
    case .location: "latitude and longitude are expected, like 38.9,24.5"
    case .url: "an address is expected, like https://example.org"
    case .email: "an e-mail address is expected, like ada@example.org"
    case .choice(let choices): "the choices are \(list(choices))"
    case .reference: "the id of a record is expected"
    case .attachment: "a file is expected, as @PATH"
    case .tags: "a list of texts is expected"
    case .text: "a text is expected"
    case .notAddable: "+= and -= are for counters, tags and references"
    case .overflow: "the sum is too large"
    }
  }
}

extension JSONMistake.Kind {
  var words: String {
    switch self {
    case .value: "a value is expected"
    case .name: "a name in quotation marks is expected"
    case .colon: "a colon is expected"
    case .commaOrBracket: "a comma or ] is expected"
    case .commaOrBrace: "a comma or } is expected"
    case .number: "a number can't be read"
    case .escape: "an escape can't be read"
    case .end: "nothing more is expected"
    case .unclosedString: "the string is not closed"
    case .controlCharacter: "a control character has to be escaped"
    case .invalidUTF8: "this is not UTF-8"
    case .tooDeep(let max): "it is nested more than \(max) deep"
    }
  }
}

extension FilterMistake.Kind {
  var words: String {
    switch self {
    case .unknownField(let name, let known):
      "there is no field '\(name)' (the fields: \(list(known)))"
    case .missingValue(let sign): "a value is expected after '\(sign)'"
    case .badValue(let field, let text, let mistake):
      "'\(shortened(text))' does not fit '\(field)', \(mistake.words)"
    case .operatorDoesNotFit(let field, let sign, let type, let fitting):
      "'\(sign)' has no meaning for '\(field)', which is \(type) and takes \(list(fitting))"
    case .missingField(let sign): "a field is expected before '\(sign)'"
    case .unclosedQuote: "the quotation mark is not closed"
    case .unclosedGroup: "the parenthesis is not closed"
    case .unexpectedClose: "the parenthesis closes nothing"
    case .missingTerm: "a condition is expected"
    case .emptyRange: "the range ends before it begins"
    case .tooLong(let bytesMax): "it is longer than \(bytesMax) bytes"
    case .tooDeep(let max): "its groups are deeper than \(max)"
    case .tooMany(let max): "it has more than \(max) conditions"
    }
  }
}

extension FieldProblem.Reason {
  /// What the field's constraint says, after "it".
  var words: String {
    switch self {
    case .required: "must not be empty"
    case .belowMinimum(let min): "must not be below \(ValueText.flat(min))"
    case .aboveMaximum(let max): "must not be above \(ValueText.flat(max))"
    case .pattern(let pattern): "must match \(pattern)"
    case .notAChoice(let choices): "must be one of \(list(choices))"
    case .notUnique(let id): "is taken by the record \(id)"
    case .wrongType: "has a value of another type"
    case .tooLong(let max): "must not be longer than \(max) bytes"
    }
  }
}

extension FieldProblem {
  var words: String { "'\(field.name)' \(reason.words)" }
}
