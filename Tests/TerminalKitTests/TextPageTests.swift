import TerminalKit
import TestKit
import Testing

@Suite struct TextPageTests {
  private static let megabytes = 5_000_000

  /// A page of a label, the text and a remark, with a line above and below.
  private func page(_ text: String, columns: Int = 60) -> TextPage {
    TextPage([
      .init([StyledText("above")]),
      .init(
        [StyledText("notes")], text: WrappedText(text, columns: columns), indent: 2,
        tail: [StyledText("remark")]),
      .init([StyledText("below")]),
    ])
  }

  private func lines(_ page: inout TextPage, from place: TextPage.Place, rows: Int) -> [String] {
    var place = place
    var lines: [String] = []
    while lines.count < rows, place < page.end {
      lines.append(page.line(at: place).text)
      place = page.place(1, after: place)
    }
    return lines
  }

  @Test(arguments: [
    "a line of a text that goes on\n", "one line without an end ", "札幌市役所", "nothing-to-break-at",
    "\n",
  ])
  func `megabytes of text cost what is shown of them`(part: String) {
    let text = String(repeating: part, count: Self.megabytes / part.utf8.count)
    var page = page(text)
    #expect(page.wrappedBytes == 0)
    var place = page.start
    // As many steps down as a person makes, with a screen drawn at each.
    for _ in 0..<30 {
      _ = lines(&page, from: place, rows: 24)
      _ = page.rows(before: place)
      place = page.place(1, after: place)
    }
    #expect(page.wrappedBytes < 20_000)
    let last = page.place(24, before: page.end)
    #expect(lines(&page, from: last, rows: 30).suffix(2) == ["remark", "below"])
    #expect(lines(&page, from: last, rows: 30).count == 24)
    #expect(page.rows(before: last) < page.rows(before: page.end))
    #expect(page.wrappedBytes < 40_000)
  }

  @Test func `its rows are those of the whole text, walked down and up`() {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let parts = ["a", "word ", "   ", "札幌市", "e\u{301}", "👩", "x-y/z", "\n", "\r\n", "\t", ""]
    for _ in 0..<300 {
      let columns = Int.random(in: 1...12, using: &random)
      let count = Int.random(in: 0...60, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      var page = page(text, columns: columns)
      let wrapped = Wrapping.lines(of: text, columns: columns).map { "  " + $0 }
      let all = ["above", "notes"] + wrapped + ["remark", "below"]
      #expect(lines(&page, from: page.start, rows: .max) == all, "seed \(seed)")
      for row in all.indices {
        let place = page.place(row, after: page.start)
        #expect(page.place(all.count - row, before: page.end) == place, "seed \(seed)")
        #expect(page.rows(before: place) == row, "seed \(seed)")
      }
      #expect(page.rows(before: page.end) == all.count, "seed \(seed)")
    }
  }

  @Test(arguments: ["e\u{301}", "👨\u{200D}👩 ", "aé", "word "])
  func `a long line is cut between clusters and loses none`(part: String) {
    let text = String(repeating: part, count: 20_000 / part.utf8.count)
    var wrapped = WrappedText(text, columns: 40)
    #expect(wrapped.pieces > 2)
    let pieces = (0..<wrapped.pieces).map { wrapped.rows(of: $0).joined() }
    #expect(pieces.joined().filter { $0 != " " } == text.filter { $0 != " " })
    #expect(pieces.dropLast().allSatisfy { $0.utf8.count > WrappedText.pieceBytesMax / 3 })
  }

  @Test func `what is gone from under a place is the nearest that is there`() {
    var long = page(String(repeating: "a line\n", count: 50))
    let place = long.place(40, after: long.start)
    var short = page("a line")
    #expect(short.nearest(place) < short.end)
    #expect(short.nearest(long.end) == short.end)
    var empty = TextPage()
    #expect(empty.nearest(place) == empty.end)
    #expect(empty.start == empty.end)
  }
}
