// Patterns against Swift's own `Regex`, which read and matched them before: what both read has to
// match the same texts, so that no record of an older model is refused now.

import Foundation
import Records
import TestKit
import Testing

struct PatternAgreementTests {
  static let patterns = 8000
  static let textsEach = 5

  @Test func `generated patterns match what Swift's do`() {
    let seed = SeededGenerator.seed(
      standard: 20_261_122, environment: ProcessInfo.processInfo.environment)
    var draw = PatternDraw(generator: SeededGenerator(seed: seed))
    var (read, matches) = (0, 0)
    for _ in 0..<Self.patterns {
      let text = draw.pattern(depth: 2)
      let swift = try? Regex(text)
      let pattern = Pattern(text)
      guard let swift, let pattern else {
        // The generator writes nothing that only one of the two reads.
        #expect(swift == nil && pattern == nil, "\(text.debugDescription); SKYROS_SEED=\(seed)")
        continue
      }
      read += 1
      for _ in 0..<Self.textsEach {
        let candidate = draw.text()
        let expected = candidate.wholeMatch(of: swift) != nil
        if expected { matches += 1 }
        #expect(
          pattern.matches(candidate) == expected,
          "\(text.debugDescription) on \(candidate.debugDescription); SKYROS_SEED=\(seed)")
      }
    }
    #expect(read > Self.patterns / 3)
    #expect(matches > Self.patterns / 10)
  }

  @Test(arguments: [
    "\\d", "\\w", "\\s", "\\h", "\\v", "\\R", ".", "\\p{L}", "\\p{Lu}", "\\p{Ll}", "\\p{Lt}",
    "\\p{Lm}", "\\p{Lo}", "\\p{M}", "\\p{Mn}", "\\p{Mc}", "\\p{Me}", "\\p{N}", "\\p{Nd}", "\\p{Nl}",
    "\\p{No}", "\\p{P}", "\\p{Pc}", "\\p{Pd}", "\\p{Ps}", "\\p{Pe}", "\\p{Pi}", "\\p{Pf}",
    "\\p{Po}",
    "\\p{S}", "\\p{Sm}", "\\p{Sc}", "\\p{Sk}", "\\p{So}", "\\p{Z}", "\\p{Zs}", "\\p{C}", "\\p{Cc}",
    "\\p{Cf}", "\\p{Cn}", "\\p{LC}", "\\p{Alphabetic}", "\\p{Uppercase}", "\\p{White_Space}",
    "\\p{Hiragana}", "\\p{Katakana}", "\\p{Han}", "\\p{Latin}", "\\p{Greek}", "\\p{Cyrillic}",
    "\\p{Hangul}", "\\p{sc=Hiragana}", "\\p{Script=Han}", "\\p{sc=Latin}", "[[:punct:]]",
    "[[:alnum:]]", "[à-ý]", "(?i)[à-ý]", "(?i)k", "(?i)σ", "a\\b.",
    "1\\b.", "ア\\b.", "あ\\b.", "(?i)[^A-Z]",
  ])
  func `a character of the first plane is in a set or not, as in Swift's`(text: String) throws {
    let swift = try Regex(text)
    let pattern = try #require(Pattern(text))
    let isPair = text.hasSuffix("\\b.")
    var others: [String] = []
    // Of the boundaries of words the letters that we write; else the blocks in common use, and a
    // sample of the others.
    let blocks =
      isPair
      ? Array(0x20..<UInt32(0x7F)) + Array(0xC0..<0x300) + Array(0x3041..<0x3097)
        + Array(0x30A0..<0x3100) + Array(0x4E00..<0x4F00)
      : Array(1..<UInt32(0x600)) + Array(0x2000..<0x2100) + Array(0x3000..<0x3100)
        + Array(stride(from: 0x600, to: 0x1_0000, by: 37))
    for value in blocks {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let candidate = (isPair ? String(text.prefix(1)) : "") + String(Character(scalar))
      if pattern.matches(candidate) != (candidate.wholeMatch(of: swift) != nil) {
        others.append(String(value, radix: 16))
      }
    }
    #expect(others.isEmpty)
  }
}

/// Draws small patterns, and texts that some of them match.
private struct PatternDraw {
  var generator: SeededGenerator

  private static let atoms = [
    "a", "b", "c", "A", "é", "1", "_", " ", "-", ".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S",
    "\\b", "\\B", "^", "$", "[ab]", "[^a]", "[a-c]", "[^\\d-]", "[\\w.]", "\\p{L}", "\\p{Lu}",
    "\\P{N}", "\\.", "'", ",",
  ]
  private static let rareAtoms = [
    "あ", "カ", "漢", "😀", "[ぁ-ん]", "\\n", "{", "}", "]", "\\u0301", "[a-z-9]", "(?:", "(", "|",
    ")", "[", "\\A", "\\z", "\\Z", "(?i)", "(?i:", "(?s)", "(?m)", "(?x)", "(?-i)", "(?#x)", "#",
    "[[a-c]--b]", "[a-c&&b-z]", "[a-c~~b]", "\\h", "\\v", "\\R", "\\X", "[[:alpha:]]", "\\p{Han}",
    "[^A-C]", "&&", "--", "\\x41", "\\0", "\\Qa.\\E", "[\\]]", ":", "*", "{2}",
  ]
  private static let repetitions = [
    "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?", "+?", "??", "{,2}", "{1,3}?",
  ]
  private static let characters: [Character] = [
    "a", "a", "b", "c", "A", "B", "é", "e\u{301}", "1", "2", "_", " ", "-", ".", "'", ",", ":",
    "あ", "カ", "漢", "😀", "\n", "\r\n", "x", "]", "}",
  ]

  mutating func pattern(depth: Int) -> String {
    var text = ""
    for _ in 0..<number(1...4) {
      switch number(0...9) {
      case 0 where depth > 0: text += "(\(pattern(depth: depth - 1)))"
      case 1 where depth > 0:
        text += "(?:\(pattern(depth: depth - 1))|\(pattern(depth: depth - 1)))"
      case 2: text += one(of: Self.rareAtoms)
      default: text += one(of: Self.atoms)
      }
      if number(0...3) == 0 { text += one(of: Self.repetitions) }
    }
    return text
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<number(0...5) { text.append(one(of: Self.characters)) }
    return text
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func one<Item>(of items: [Item]) -> Item {
    items[number(0...items.count - 1)]
  }
}
