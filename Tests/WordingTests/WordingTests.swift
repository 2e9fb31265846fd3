import Foundation
import Testing
import Wording

/// Sentences in both languages.
struct WordingTests {
  @Test func `the language comes from settings or the environment`() {
    #expect(Words.Language(locale: "ja_JP.UTF-8") == .japanese)
    #expect(Words.Language(locale: "ja") == .japanese)
    #expect(Words.Language(locale: "jam_JM") == .english)
    #expect(Words.Language(locale: "C") == .english)
    let environment = ["LC_ALL": "", "LC_MESSAGES": "ja_JP", "LANG": "en_US"]
    #expect(Words.Language { environment[$0] } == .japanese)
    #expect(Words.Language { _ in nil } == .english)
  }

  @Test func `plurals and lists are those of the language`() {
    let (english, japanese) = (Words(.english), Words(.japanese))
    #expect(english.records(1) == "1 record")
    #expect(english.records(0) == "0 records")
    #expect(english.savedChanges(1) == "1 saved change")
    #expect(english.conflicts(2) == "2 conflicts")
    #expect(japanese.records(3) == "3 件")
    #expect(english.list(["a", "b", "c"]) == "a, b and c")
    #expect(japanese.list(["a", "b", "c"]) == "a、b、c")
    #expect(english.list([]) == "nothing")
    #expect(english.sentence(english.expected.number) == "A number is expected.")
    #expect(japanese.sentence(japanese.expected.number) == "数を入れてください。")
    #expect(english.shortened(String(repeating: "x", count: 61)).count == 60)
  }

  @Test func `sentences read as written`() {
    let words = Words(.english)
    #expect(
      words.failure.unknownType("Plaice", known: ["Place", "Trip"])
        == "There is no type 'Plaice' in this library. Its types: Place and Trip.")
    #expect(
      words.filterMistake.mistake(in: "a)", at: 2, words.filterMistake.unexpectedClose)
        == "The filter 'a)' has a mistake at character 2: the parenthesis closes nothing.")
    #expect(
      Words(.japanese).sentence(
        Words(.japanese).importing.outcome(added: 1, updated: 2, unchanged: 3, refused: 4))
        == "追加 1 件、更新 2 件、変更なし 3 件、拒否 4 件。")
  }

  @Test(arguments: SyncWords.known + ["word of tomorrow"])
  func `a cause of sync is told in both languages`(cause: String) {
    let english = SyncWords.cause(cause)
    let japanese = SyncWords.cause(cause, in: Words(.japanese))
    #expect(english.sentence.hasSuffix("."))
    #expect(japanese.sentence.hasSuffix("。"))
    #expect(english.sentence != japanese.sentence)
    #expect((english.remedy == nil) == (japanese.remedy == nil))
  }

  /// Every pair in the sources says in both languages all that its function is given.
  @Test func `no sentence is missing a language or loses what varies`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var pairs = 0
    for folder in ["Sources/Wording", "Sources/Screens"] {
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where Self.hasPairs(file) {
        for pair in SentencePair.all(in: try String(contentsOf: file, encoding: .utf8)) {
          pairs += 1
          let place = Comment(rawValue: "\(file.lastPathComponent): \(pair.english)")
          #expect(!pair.japanese.isEmpty && !pair.english.isEmpty, place)
          let isJapanese = pair.japanese.unicodeScalars.contains { $0.value > 0x2000 }
          // Some words are the same in both, and `URL` is Japanese too.
          let isShared = pair.japanese == pair.english || pair.japanese == "\"URL\""
          #expect(isJapanese || isShared, place)
          let english = pair.mentioned(in: pair.english)
          #expect(english == pair.mentioned(in: pair.japanese), place)
        }
      }
    }
    #expect(pairs > 100)
  }
}

extension WordingTests {
  /// `Words` itself puts pairs together of other pairs.
  private static func hasPairs(_ file: URL) -> Bool {
    file.pathExtension == "swift" && file.lastPathComponent != "Words.swift"
  }
}

/// A call `words("…", "…")` or `self("…", "…")` of the sources, and the parameters around it.
private struct SentencePair {
  let english: String
  let japanese: String
  let parameters: Set<String>

  /// The parameters that one side speaks of.
  func mentioned(in side: String) -> Set<String> {
    parameters.filter { name in
      side.ranges(of: name).contains { range in
        let before =
          range.lowerBound > side.startIndex ? side[side.index(before: range.lowerBound)] : " "
        let after = range.upperBound < side.endIndex ? side[range.upperBound] : " "
        return side[..<range.lowerBound].contains("\\(") && !Self.isWordPart(before)
          && !Self.isWordPart(after) && before != "." && after != ":"
      }
    }
  }

  private static func isWordPart(_ c: Character) -> Bool { c.isLetter || c.isNumber || c == "_" }

  static func all(in source: String) -> [SentencePair] {
    var result: [SentencePair] = []
    var parameters: Set<String> = []
    var rest = source[...]
    while let next = rest.firstMatch(of: /\bfunc \w+\(|\bvar \w+: String|\b(words|self)\(\s*"/) {
      let found = rest[next.range]
      rest = rest[next.range.upperBound...]
      if found.hasPrefix("var") {
        parameters = []
      } else if found.hasPrefix("func") {
        let arguments = arguments(of: rest)?.parts ?? []
        parameters = Set(
          arguments.compactMap { part in
            part.split(separator: ":").first?.split(separator: " ").last.map(String.init)
          })
      } else {
        let opening = found.firstIndex(of: "\"") ?? found.endIndex
        guard let (parts, _) = self.arguments(of: source[opening...]), parts.count == 2 else {
          continue
        }
        result.append(
          SentencePair(
            english: parts[0].trimmingCharacters(in: .whitespacesAndNewlines),
            japanese: parts[1].trimmingCharacters(in: .whitespacesAndNewlines),
            parameters: parameters))
      }
    }
    return result
  }

  /// The arguments up to the bracket that closes them, split at commas of their own level.
  private static func arguments(of text: Substring) -> (parts: [Substring], end: String.Index)? {
    var parts: [Substring] = []
    var start = text.startIndex
    // What encloses the position: brackets, and `"` for a literal.
    var open: [Character] = []
    var index = text.startIndex
    while index < text.endIndex {
      let c = text[index]
      let isLiteral = open.last == "\""
      if isLiteral, c == "\\" {
        index = text.index(after: index)
        if index < text.endIndex, text[index] == "(" { open.append("(") }
      } else if isLiteral {
        if c == "\"" { open.removeLast() }
      } else if c == "\"" || "([{".contains(c) {
        open.append(c)
      } else if ")]}".contains(c) {
        guard !open.isEmpty else {
          parts.append(text[start..<index])
          return (parts, index)
        }
        open.removeLast()
      } else if c == ",", open.isEmpty {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
      index = text.index(after: index)
    }
    return nil
  }
}
