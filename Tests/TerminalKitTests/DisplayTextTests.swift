import TerminalKit
import TestKit
import Testing

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("plain", "plain", 5), ("札幌市", "札幌市", 6), ("ｶﾞ", "ｶﾞ", 2), ("e\u{301}", "e\u{301}", 1),
    ("שָׁלוֹם", "שָׁלוֹם", 4), ("ก็ดี", "ก็ดี", 2), ("🇯🇵", "🇯🇵", 2), ("①", "①", 1), ("\u{3000}", "\u{3000}", 2),
    ("👨‍👩‍👧‍👦", "👨👩👧👦", 8), ("👍🏽", "👍", 2), ("❤️", "❤", 1), ("1️⃣", "1", 1), ("🏳️‍🌈", "🏳🌈", 3),
    ("\u{1112}\u{1161}\u{11AB}", "한", 2), ("\u{301}x", "◌\u{301}x", 2), ("क्षि", "क्षि", 3),
    ("葛\u{E0100}城", "葛城", 4), ("a\tb", "a␉b", 3), ("a\nb", "a␊b", 3), ("\r\n", "␍␊", 2),
    ("\u{7F}", "␡", 1), ("\u{9B}31m", "·31m", 4), ("evil\u{202E}gnp", "evil·gnp", 8),
    ("zero\u{200B}width", "zero·width", 10), ("a\u{200D}b", "a·b", 3), ("\u{FEFF}bom", "·bom", 4),
    ("soft\u{AD}hyphen", "soft·hyphen", 11), ("\u{3164}", "·", 1), ("tag\u{E0041}", "tag·", 4),
    ("می\u{200C}خواهم", "میخواهم", 7), ("\u{10FFFD}", "\u{10FFFD}", 1), ("\u{378}", "\u{FFFD}", 1),
  ])
  func `text is drawn so that all terminals agree`(text: String, shown: String, columns: Int) {
    #expect(DisplayText.shown(text) == shown)
    #expect(TextWidth.columns(text) == columns)
    var grid = Grid(columns: 20, rows: 1)
    let end = grid.put(text, at: Point(column: 0, row: 0))
    #expect(end == columns)
    #expect(grid.text == (shown.last == "\u{3000}" ? shown : shown))
  }

  @Test func `ten thousand marks on one letter become four`() {
    let zalgo = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(DisplayText.shown(zalgo).unicodeScalars.count == 5)
    #expect(TextWidth.columns(zalgo) == 1)
  }

  @Test func `no control or format character survives, whatever the text`() {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let nasty: [UInt32] = [
      0x1B, 0x07, 0x0A, 0x9B, 0x9D, 0x7F, 0x202E, 0x2066, 0x200B, 0x200D, 0xFEFF, 0xFE0F, 0xE0041,
      0x301,
      0x1F468, 0x1F3FD, 0x41, 0x5D0, 0x1100, 0x1161,
    ]
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let value =
          Bool.random(using: &random)
          ? nasty[Int.random(in: 0..<nasty.count, using: &random)]
          : UInt32.random(in: 0...0x10FFFF, using: &random)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      var columns = 0
      DisplayText.glyphs(of: text) { glyph in
        columns += glyph.columns
        for value in [glyph.base] + (0..<4).map({ glyph.marks[$0] }) where value != 0 {
          let category = Unicode.Scalar(value)?.properties.generalCategory
          #expect(
            category != .control && category != .format, "seed \(seed): \(text.unicodeScalars)")
        }
      }
      #expect(columns == TextWidth.columns(text), "seed \(seed)")
      let limit = Int.random(in: 0...10, using: &random)
      #expect(TextWidth.columns(TextWidth.truncate(text, to: limit)) <= limit, "seed \(seed)")
    }
  }

  @Test func `the fast way for ordinary text agrees with the slow one, scalar by scalar`() {
    for value in UInt32(0x20)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      var slow: [Glyph] = []
      DisplayText.glyphs(of: Character(scalar)) { slow.append($0) }
      var fast: [Glyph] = []
      DisplayText.glyphs(of: text) { fast.append($0) }
      #expect(fast == slow, "U+\(String(value, radix: 16))")
      #expect(TextWidth.columns(text) == slow.reduce(0) { $0 + $1.columns })
    }
    // A mark after an ordinary letter still belongs to it, also where the text is cut.
    #expect(TextWidth.truncate("日本e\u{301}x", to: 5) == "日本…")
    #expect(TextWidth.truncate("abce\u{301}", to: 4) == "abce\u{301}")
    #expect(TextWidth.prefix(of: "か\u{3099}き", columns: 2).end == "か\u{3099}".endIndex)
  }

  @Test func `text that is cut ends in an ellipsis and never in half a character`() {
    #expect(TextWidth.truncate("札幌市役所", to: 7) == "札幌市…")
    #expect(TextWidth.truncate("札幌市役所", to: 6) == "札幌…")
    #expect(TextWidth.truncate("札幌", to: 4) == "札幌")
    #expect(TextWidth.truncate("abc", to: 1) == "…")
    #expect(TextWidth.truncate("abc", to: 0) == "")
    #expect(TextWidth.pad("札", to: 4) == "札  ")
  }

  @Test func `lines are broken at blanks, and anywhere in scripts without them`() {
    #expect(Wrapping.lines(of: "one two three", columns: 8) == ["one two ", "three"])
    // A blank that sticks out would have the line drawn with an ellipsis.
    #expect(Wrapping.lines(of: "one two three", columns: 7) == ["one two", "three"])
    #expect(Wrapping.lines(of: "札幌市役所", columns: 5) == ["札幌", "市役", "所"])
    #expect(Wrapping.lines(of: "abcdefgh", columns: 3) == ["abc", "def", "gh"])
    #expect(Wrapping.lines(of: "", columns: 3) == [""])
    #expect(Wrapping.lines(of: "a\n\nb", columns: 3) == ["a", "", "b"])
  }
}
