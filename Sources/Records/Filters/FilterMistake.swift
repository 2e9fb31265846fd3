/// Why a text is no filter, and where: data only.
package struct FilterMistake: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The type has no visible field of that name.
    case unknownField(String, known: [String])
    /// Nothing stands where a value has to: after `<`, between brackets of a range.
    case missingValue(operator: String)
    case badValue(field: String, text: String, ValueMistake)
    /// `visited>3`: the field's type has no such comparison; these it has.
    case operatorDoesNotFit(field: String, operator: String, type: String, fitting: [String])
    /// `>5`, with no field before it.
    case missingField(operator: String)
    case unclosedQuote
    case unclosedGroup
    case unexpectedClose
    /// A `-` with nothing behind it, or an empty `or()`.
    case missingTerm
    /// `9..1`
    case emptyRange
    case tooLong(bytesMax: Int)
    case tooDeep(max: Int)
    case tooMany(max: Int)
  }

  /// Where, in bytes of UTF-8.
  package let utf8: Range<Int>
  /// Where, in characters as a person counts them, from 0.
  package let characters: Range<Int>
  package let kind: Kind

  init(_ range: Range<String.Index>, in text: String, _ kind: Kind) {
    let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    utf8 = start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
    let first = text[..<range.lowerBound].count
    characters = first..<first + text[range].count
    self.kind = kind
  }
}
