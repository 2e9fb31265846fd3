/// Why a text does not read as a value of a field: what was expected, as data.
///
/// The sentence for people is made where the front end is.
package enum ValueMistake: Error, Hashable, Sendable {
  case integer
  /// A whole number, but beyond 64 bits.
  case integerRange
  case number
  case decimal
  case boolean
  case date
  case dateTime
  case location
  case url
  case email
  case choice([String])
  /// An id, or several with commas between.
  case reference
  /// A file of the store, which a text can't name.
  case attachment
  /// A list of texts, in JSON.
  case tags
  /// A text, in JSON.
  case text
  /// `+=` and `-=` have no meaning for the type.
  case notAddable
  /// Adding or subtracting leaves 64 bits.
  case overflow
}
