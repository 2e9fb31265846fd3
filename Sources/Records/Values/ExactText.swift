// Texts compared by their bytes. Swift's own equality follows Unicode's canonical equivalence, in
// which é as one scalar and as two are one; SQLite, the wire and every digest compare bytes, and all
// devices must keep the same ones. So everything that joins or is stored is compared as bytes.

/// A text that equals another only when their UTF-8 is the same, as in SQLite's BINARY collation.
package struct ExactText: Hashable, Sendable, Comparable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: Self, b: Self) -> Bool { isSame(a.text, b.text) }

  package static func < (a: Self, b: Self) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // What is equal in bytes is equal in Unicode's sense, so the text's own hash serves.
    text.hash(into: &hasher)
  }

  /// Whether two texts are the same in every byte.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    // The first test settles most cases at once; only texts that Unicode calls equal go on.
    a == b && a.utf8.elementsEqual(b.utf8)
  }
}
