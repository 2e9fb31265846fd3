import TerminalKit
import TestKit
import Testing

@Suite struct InputParserTests {
  private func parse(_ bytes: [UInt8]) -> [InputEvent] {
    var parser = InputParser()
    let events = parser.take(bytes)
    return events + parser.timeOut()
  }

  private func parse(_ text: String) -> [InputEvent] { parse(Array(text.utf8)) }

  private func keys(_ names: String...) -> [InputEvent] {
    names.compactMap { Key(named: $0) }.map(InputEvent.key)
  }

  @Test(arguments: [
    ("a", "a"), ("é", "é"), ("札", "札"), ("😀", "😀"), ("\r", "Enter"), ("\t", "Tab"),
    ("\u{7F}", "Backspace"), ("\u{01}", "C-a"), ("\u{1A}", "C-z"), ("\0", "C-Space"),
    ("\u{1F}", "C-_"), ("\u{1B}", "Esc"), ("\u{1B}x", "A-x"), ("\u{1B}é", "A-é"),
    ("\u{1B}\r", "A-Enter"), ("\u{1B}[A", "Up"), ("\u{1B}OA", "Up"), ("\u{1B}[1;5C", "C-Right"),
    ("\u{1B}[1;3A", "A-Up"), ("\u{1B}[1;2B", "S-Down"), ("\u{1B}[H", "Home"), ("\u{1B}OF", "End"),
    ("\u{1B}[1~", "Home"), ("\u{1B}[4~", "End"), ("\u{1B}[3~", "Del"), ("\u{1B}[3;5~", "C-Del"),
    ("\u{1B}[5~", "PgUp"), ("\u{1B}[6~", "PgDn"), ("\u{1B}[Z", "S-Tab"), ("\u{1B}OP", "F1"),
    ("\u{1B}[11~", "F1"), ("\u{1B}[[A", "F1"), ("\u{1B}[24~", "F12"), ("\u{1B}[1;2R", "S-F3"),
    ("\u{1B}[97;5u", "C-a"), ("\u{1B}[27u", "Esc"), ("\u{1B}[13;2u", "S-Enter"),
    ("\u{1B}[97;2u", "A"), ("\u{1B}[27;5;115~", "C-s"), ("\u{1B}OM", "Enter"), ("\u{1B}Op", "0"),
    ("\u{1B}[", "A-["), ("\u{1B}O", "A-O"), ("\u{1B}[57414u", "Enter"),
  ])
  func `a key is known in every form that terminals send it`(bytes: String, name: String) throws {
    let key = try #require(Key(named: name))
    #expect(parse(bytes) == [.key(key)])
  }

  @Test(arguments: [
    "\u{1B}[1;5d", "\u{1B}[99~", "\u{1B}[?5$x", "\u{1B}[>0;1;2v", "\u{1B}[97;5:3u", "\u{1B}[1;1:3A",
    "\u{1B}[<65;0;0M", "\u{1B}[12;", "\u{1B}[57344u", "\u{1B}]0;open", "\u{1B}Pqabc",
  ])
  func `a sequence that nobody knows is one ignored event`(bytes: String) {
    #expect(parse(bytes) == [.ignored])
  }

  @Test func `answers of the terminal are events, not typing`() {
    #expect(parse("\u{1B}[?62;22c") == [.reply("?62;22c")])
    #expect(parse("\u{1B}[12;40R") == [.reply("12;40R")])
    #expect(parse("\u{1B}[?1u") == [.reply("?1u")])
    #expect(parse("\u{1B}]11;rgb:0/0/0\u{1B}\\a") == [.reply("11;rgb:0/0/0")] + keys("a"))
    #expect(parse("\u{1B}]52;c;abc\u{07}") == [.reply("52;c;abc")])
    #expect(parse("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
  }

  @Test func `the mouse is read in both forms`() {
    let press = InputEvent.mouse(.init(.press, .left, at: Point(column: 9, row: 4)))
    #expect(parse("\u{1B}[<0;10;5M") == [press])
    #expect(parse([0x1B, 0x5B, 0x4D, 32, 42, 37]) == [press])
    #expect(
      parse("\u{1B}[<64;1;1M\u{1B}[<65;300;1M\u{1B}[<0;2;2m\u{1B}[<32;3;3M") == [
        .mouse(.init(.wheelUp, .none, at: Point(column: 0, row: 0))),
        .mouse(.init(.wheelDown, .none, at: Point(column: 299, row: 0))),
        .mouse(.init(.release, .left, at: Point(column: 1, row: 1))),
        .mouse(.init(.drag, .left, at: Point(column: 2, row: 2))),
      ])
  }

  @Test func `a paste is one event with line ends unified, whatever is in it`() {
    let events = parse("\u{1B}[200~one\r\ntwo\rthree\u{1B}[Aq\u{1B}[201~x")
    #expect(events == [.paste(.init("one\ntwo\nthree\u{1B}[Aq"))] + keys("x"))
    #expect(parse("\u{1B}[200~\u{1B}[201~") == [.paste(.init(""))])
    #expect(parse("\u{1B}[200~half") == [.paste(.init("half"))])
  }

  @Test func `a paste beyond the cap is cut, and says by how much`() throws {
    for extra in [0, 1, 5, 6, 7, 1000] {
      var bytes = Array("\u{1B}[200~".utf8)
      bytes += Array(repeating: 0x61, count: InputParser.pasteBytesMax + extra)
      bytes += Array("\u{1B}[201~".utf8)
      let events = parse(bytes)
      guard case .paste(let paste) = try #require(events.first), events.count == 1 else {
        Issue.record("not one paste")
        return
      }
      #expect(paste.text.utf8.count == InputParser.pasteBytesMax)
      #expect(paste.droppedBytes == extra)
    }
  }

  @Test func `bytes that are no text are ignored, and the text after them is read`() {
    #expect(parse([0xFF, 0x61]) == [.ignored] + keys("a"))
    #expect(parse([0xE6, 0x9C, 0x61]) == [.ignored] + keys("a"))
    #expect(parse([0xC2, 0x9B, 0x61]) == [.ignored] + keys("a"))
    #expect(parse([0xED, 0xA0, 0x80]) == [.ignored])
  }

  @Test func `however bytes are cut into reads, the events are the same`() {
    let pieces: [String] = [
      "a", "札", "😀", "\u{1B}[A", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}x", "\u{1B}é", "\r", "\u{1}",
      "\u{1B}[<0;10;5M", "\u{1B}[200~ab\u{1B}[c\r\n札\u{1B}[201~", "\u{1B}]11;rgb\u{07}",
      "\u{1B}[?1u",
      "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[[C", "\u{1B}[12;40R", "\u{1B}[3~", "\u{1B}[97;5u", "e\u{301}",
    ]
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        if Int.random(in: 0..<6, using: &random) == 0 {
          bytes.append(UInt8.random(in: .min ... .max, using: &random))
        } else {
          bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8)
        }
      }
      var whole = InputParser()
      let expected = whole.take(bytes)
      for cut in bytes.indices {
        var parser = InputParser()
        let events = parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
        #expect(events == expected, "seed \(seed), bytes \(bytes), cut at \(cut)")
      }
      var single = InputParser()
      #expect(bytes.flatMap { single.take([$0]) } == expected, "seed \(seed), bytes \(bytes)")
      #expect(single.patience == whole.patience)
    }
  }

  @Test func `names of keys are read back as they are written`() {
    let names = [
      "a", "C-s", "A-Enter", "S-Tab", "Esc", "PgDn", "F12", "C-A-x", "Space", "C-Space", "-", "C--",
      "札",
    ]
    for name in names { #expect(Key(named: name)?.description == name) }
    for wrong in ["", "X-a", "ab", "F99", "C-", "Fn"] { #expect(Key(named: wrong) == nil) }
    #expect(Key.sequence(named: "g g") == [Key("g"), Key("g")])
    #expect(Key.sequence(named: "g nosuch") == nil)
  }
}
