// `name~port`: whether a text contains another, without regard to case.
//
// A needle of ASCII alone folds ASCII letters alone, as SQL's LIKE does, so that the store can leave
// the work to SQLite. Any other needle is compared by the lower case of each Unicode scalar.

/// A text to look for in others.
package struct TextMatch: Hashable, Sendable {
  private let needle: [UInt8]
  /// Whether SQL's LIKE (with wildcards escaped) finds exactly the same.
  package let isASCII: Bool

  package init(_ text: String) {
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    needle = isASCII ? text.utf8.map(Self.lower) : Self.folded(text)
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    if isASCII { return text.withUTF8 { Self.contains($0, needle, Self.lower) } }
    return Self.folded(text).withUnsafeBufferPointer { Self.contains($0, needle) { $0 } }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte | 0x20 : byte
  }

  private static func folded(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        result.append(lower(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        result += scalar.properties.lowercaseMapping.utf8
      }
    }
    return result
  }

  private static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ needle: [UInt8], _ fold: (UInt8) -> UInt8
  ) -> Bool {
    guard let first = needle.first else { return true }
    guard text.count >= needle.count else { return false }
    for start in 0...(text.count - needle.count) where fold(text[start]) == first {
      if needle.indices.allSatisfy({ fold(text[start + $0]) == needle[$0] }) { return true }
    }
    return false
  }
}
