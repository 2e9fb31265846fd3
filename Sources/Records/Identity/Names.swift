// The names of record types and fields.
//
// A permanent id is the first name that a type or field was given. It is the SQL name, the wire
// name and the key of every register; a later name is a label and changes none of them.

/// The rule for names: `[A-Za-z][A-Za-z0-9_]{0,63}` (DESIGN.md 2).
package enum NameRule {
  /// The longest name in characters: what the wire protocol takes for a field name, and SQL bears.
  package static let lengthMax = 64

  package static func allows(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, isLetter(first), bytes.count <= lengthMax else { return false }
    return bytes.dropFirst().allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 95 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// The permanent id of a record type: its SQL table and its record type on the wire.
package struct TypeID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let name: String

  /// Makes an id of a name that obeys ``NameRule``, or nothing.
  package init?(_ name: String) {
    guard NameRule.allows(name) else { return nil }
    self.name = name
  }

  /// Trusts the name: for names that come from a checked model or from our own file.
  package init(trusted name: String) { self.name = name }

  package var description: String { name }
  package static func < (a: Self, b: Self) -> Bool { a.name < b.name }
}

/// The permanent id of a field: its SQL column and its field name on the wire.
package struct FieldID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let name: String

  /// Makes an id of a name that obeys ``NameRule``, or nothing.
  package init?(_ name: String) {
    guard NameRule.allows(name) else { return nil }
    self.name = name
  }

  /// Trusts the name: for names that come from a checked model or from our own file.
  package init(trusted name: String) { self.name = name }

  package var description: String { name }
  package static func < (a: Self, b: Self) -> Bool { a.name < b.name }
}
