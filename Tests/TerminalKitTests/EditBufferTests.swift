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
        #expect(buffer.lines.allSatisfy { Array(String($0)) == $0 }, "seed \(seed)")
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
