// Names as the wire compares them. Swift takes two spellings of one character ("é" as one scalar or
// as two) for the same `String`; the protocol, like SQLite, goes by the bytes.

/// A name as a key: equal when its bytes are.
package struct ExactName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: Self, other: Self) -> Bool { one.text.isExactly(other.text) }

  package func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Equal byte for byte, as names on the wire are.
  package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
