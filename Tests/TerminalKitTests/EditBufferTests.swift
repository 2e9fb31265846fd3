import TerminalKit
import TestKit
import Testing

@Suite struct EditBufferTests {
  private func type(_ keys: String..., into buffer: inout EditBuffer) {
    for key in keys { for key in Key.sequence(named: key) ?? [] { _ = buffer.apply(key) } }
  }

  @Test func `typing, moving by words and killing do what fingers expect`() {
    var buffer = EditBuffer("one two three")
    type("A-b", "C-w", into: &buffer)
    #expect(buffer.text == "one three")
    type("C-k", into: &buffer)
    #expect(buffer.text == "one ")
    type("C-a", "C-d", "C-d", into: &buffer)
    #expect(buffer.text == "e ")
    type("C-e", "C-u", into: &buffer)
    #expect(buffer.text == "")
  }

  @Test func `a run of typing is one undo step, a paste another`() {
    var buffer = EditBuffer()
    for key in ["a", "b", "c"] { type(key, into: &buffer) }
    buffer.paste(.init("XYZ"))
    type("d", into: &buffer)
    #expect(buffer.text == "abcXYZd")
    buffer.undo()
    #expect(buffer.text == "abcXYZ")
    buffer.undo()
    #expect(buffer.text == "abc")
    buffer.undo()
    #expect(buffer.text == "")
    #expect(!buffer.canUndo)
    buffer.redo()
    buffer.redo()
    buffer.redo()
    #expect(buffer.text == "abcXYZd")
    #expect(!buffer.canRedo)
  }

  @Test func `the cursor never stands inside a grapheme cluster`() {
    var buffer = EditBuffer("e")
    buffer.insert("\u{301}")
    #expect(buffer.lines[0].count == 1)
    #expect(buffer.cursor.offset == 1)
    type("Backspace", into: &buffer)
    #expect(buffer.text == "")
    buffer.undo()
    buffer.undo()
    #expect(buffer.text == "e")
    var family = EditBuffer("👨👩")
    type("Left", into: &family)
    family.insert("\u{200D}")
    #expect(family.text == "👨\u{200D}👩")
    #expect(family.lines[0].count == 1)
    type("Backspace", into: &family)
    #expect(family.text == "")
  }

  @Test func `one line takes line ends as blanks, many lines keep them`() {
    var one = EditBuffer()
    one.paste(.init("a\nb"))
    #expect(one.text == "a b")
    var many = EditBuffer("x", isMultiline: true)
    many.paste(.init("a\nb\n"))
    #expect(many.text == "a\nb\nx")
    #expect(many.cursor == .init(line: 2, offset: 0))
    type("Backspace", into: &many)
    #expect(many.text == "a\nbx")
    many.undo()
    many.undo()
    #expect(many.text == "x")
  }

  @Test func `lines wrapped anew after an edit are wrapped as from the start`() {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let texts = ["a", "word ", "    ", "札幌市", "e\u{301}", "👩", "x-y/z", "\t", "verylongwordofmany"]
    for _ in 0..<200 {
      let columns = Int.random(in: 1...12, using: &random)
      var buffer = EditBuffer(
        (0..<30).map { _ in texts.randomElement(using: &random) ?? "" }.joined(), isMultiline: true)
      var rows = Wrapping.ranges(of: buffer.lines[0], columns: columns)
      for _ in 0..<20 {
        let end = buffer.lines[0].count
        buffer.move(to: .init(line: 0, offset: Int.random(in: 0...end, using: &random)))
        let revision = buffer.revision
        if Bool.random(using: &random) {
          buffer.insert(texts.randomElement(using: &random) ?? "")
        } else {
          buffer.delete(to: .init(line: 0, offset: Int.random(in: 0...end, using: &random)))
        }
        guard buffer.revision > revision else { continue }
        let whole = Wrapping.ranges(of: buffer.lines[0], columns: columns)
        if case .line(_, let from, let removed, let inserted) = buffer.lastChange {
          rows = Wrapping.ranges(
            of: buffer.lines[0], columns: columns, since: rows, change: (from, removed, inserted))
          #expect(rows == whole, "seed \(seed)")
        }
        rows = whole
      }
    }
  }

  @Test func `a line is its text and its clusters, whatever is put into it`() {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let texts = ["", "a", "plain text", "札", "\r", "e\u{301}", "👨\u{200D}👩", "x\r\ny"]
    for _ in 0..<500 {
      let text = (0..<4).map { _ in texts.randomElement(using: &random) ?? "" }.joined()
      let line = EditLine(text)
      #expect(line.text == text && Array(line) == Array(text), "seed \(seed)")
      let first = Int.random(in: 0...line.count, using: &random)
      let last = Int.random(in: first...line.count, using: &random)
      #expect(line.text(first..<last) == String(Array(text)[first..<last]), "seed \(seed)")
    }
    #expect(EditBuffer("a\r\nb\nc", isMultiline: true).lines.map(\.text) == ["a\r\nb", "c"])
  }

  @Test func `any edits can be undone to the start and redone to the end`() {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let texts = ["a", "bc ", "札", "\u{301}", "\u{200D}", "👩", "x\ny", "\n", "🇯", "🇵", "ᄀ", "ᅡ"]
    let keys = [
      "Left", "Right", "Home", "End", "Backspace", "Del", "C-w", "C-k", "C-u", "A-b", "A-f",
    ]
    for _ in 0..<300 {
      let start = "start 札幌\nof text"
      var buffer = EditBuffer(start, isMultiline: true)
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        if Bool.random(using: &random) {
          buffer.insert(
            texts[Int.random(in: 0..<texts.count, using: &random)],
            isTyping: Bool.random(using: &random))
        } else {
          type(keys[Int.random(in: 0..<keys.count, using: &random)], into: &buffer)
        }
        #expect(buffer.lines.allSatisfy { Array($0.text) == Array($0) }, "seed \(seed)")
        #expect(buffer.cursor.offset <= buffer.lines[buffer.cursor.line].count, "seed \(seed)")
      }
      let end = buffer.text
      while buffer.canUndo { buffer.undo() }
      #expect(buffer.text == start, "seed \(seed)")
      while buffer.canRedo { buffer.redo() }
      #expect(buffer.text == end, "seed \(seed)")
    }
  }
}
