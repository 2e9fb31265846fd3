// `name~port`: whether a text contains another, without regard to case.
//
// A needle of ASCII alone folds ASCII letters alone, as SQL's LIKE does, so that the store can leave
// the work to SQLite. Any other needle is compared by the lower case of each Unicode scalar.

/// A text to look for in others.
package struct TextMatch: Hashable, Sendable {
  private let needle: [UInt8]
  /// Whether SQL's LIKE (with wildcards escaped) finds exactly the same.
  package let isASCII: Bool
  /// Whether the needle is of letters that have no case, and no cased letter becomes one of them:
  /// then the same bytes in the text are exactly what is found.
  package let isCaseless: Bool

  package init(_ text: String) {
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    isCaseless =
      !isASCII && text.unicodeScalars.allSatisfy { $0.properties.generalCategory == .otherLetter }
    needle = isASCII ? text.utf8.map(Self.lower) : Self.folded(text)
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    if isASCII { return text.withUTF8 { Self.contains($0, needle, Self.lower) } }
    return Self.folded(text).withUnsafeBufferPointer { Self.contains($0, needle) { $0 } }
  }

  /// The same for a text's bytes in UTF-8.
  package func matches(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
    if isASCII { return Self.contains(text, needle, Self.lower) }
    // What is ASCII alone stays so when it is folded.
    if text.allSatisfy({ $0 < 0x80 }) { return false }
    return matches(String(decoding: text, as: UTF8.self))
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
      } else if isCaseless(scalar) {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        result += scalar.properties.lowercaseMapping.utf8
      }
    }
    return result
  }

  /// Kana, Han and Hangul syllables: what a glance at the number tells, where a look into Unicode's
  /// tables makes a string for each letter.
  private static func isCaseless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3: true
    default: false
    }
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
