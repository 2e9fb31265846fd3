import TerminalKit
import Testing

@Suite struct GridTests {
  @Test func `a wide character cut by the clip leaves a blank`() {
    var grid = Grid(columns: 6, rows: 1)
    grid.clipped(to: Rect(column: 1, row: 0, columns: 3, rows: 1)) {
      $0.put("札幌市", at: Point(column: 0, row: 0))
    }
    #expect(grid.text == "  幌")
  }

  @Test func `drawing over half of a wide character blanks the other half`() {
    var left = Grid(columns: 6, rows: 1)
    left.put("札幌", at: Point(column: 0, row: 0))
    left.put("x", at: Point(column: 1, row: 0))
    #expect(left.text == " x幌")
    var right = Grid(columns: 6, rows: 1)
    right.put("札幌", at: Point(column: 0, row: 0))
    right.put("x", at: Point(column: 2, row: 0))
    #expect(right.text == "札x")
    var box = Grid(columns: 6, rows: 1)
    box.put("札幌市", at: Point(column: 0, row: 0))
    box.fill(Rect(column: 1, row: 0, columns: 4, rows: 1), .text, with: "-")
    #expect(box.text == " ----")
  }

  @Test func `text is cut where its room ends`() {
    var grid = Grid(columns: 12, rows: 3)
    grid.put("a long sentence", in: Rect(column: 2, row: 0, columns: 8, rows: 1))
    grid.put("12", in: Rect(column: 0, row: 1, columns: 6, rows: 1), align: .trailing)
    grid.put("x", at: Point(column: 3, row: 7))
    grid.put("x", at: Point(column: -1, row: 0))
    #expect(grid.text == "  a long …\n    12\n")
  }

  @Test func `a frame has its title in the upper edge`() {
    var grid = Grid(columns: 12, rows: 3)
    let inner = grid.frame(grid.bounds, title: "Box")
    #expect(grid.text == "┌─ Box ────┐\n│          │\n└──────────┘")
    #expect(inner == Rect(column: 1, row: 1, columns: 10, rows: 1))
    var tiny = Grid(columns: 1, rows: 1)
    tiny.frame(tiny.bounds, title: "Box")
    #expect(tiny.text == "")
  }

  @Test(arguments: [
    (120, [24, 56, 38]), (60, [0, 60, 0]), (78, [0, 45, 32]), (10, [0, 10, 0]), (0, [0, 0, 0]),
  ])
  func `panes share the room, and the least important goes first`(total: Int, lengths: [Int]) {
    let shares = [
      Share(minimum: 20, maximum: 24, weight: 1, priority: 0),
      Share(minimum: 40, maximum: 60, weight: 2, priority: 2),
      Share(minimum: 30, weight: 1, priority: 1),
    ]
    #expect(Share.distribute(shares, over: total, gap: 1) == lengths)
  }
}
