// JSON as a value: for what the command line prints and reads, and for imports and exports. Whole
// numbers are exact to 64 bits, and a numeral that is none keeps its digits as they were written.

/// A JSON value.
package enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Finite.
  case number(Double)
  /// A numeral as it was read that is no 64-bit integer: `12.50`, `1e400`, a thousand digits.
  case numeral(String)
  case string(String)
  case array([JSON])
  /// In the order of the text; a name that occurs twice is there twice.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// An object's member; the last of several with the name, as most readers have it.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The value on one line.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
}
