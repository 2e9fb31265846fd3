// Values side by side, one choice a row: what a conflict's sides hold, what is mine and what is
// theirs. UI actor; it knows no record.

internal import TerminalKit
internal import UILoop

/// A question with several answers, shown next to each other.
struct CompareRow: Equatable {
  struct Side: Equatable {
    /// Whose it is, and when.
    var label: String
    var text: String
    var canBeChosen = true
  }

  var title: String
  var sides: [Side]
  /// The side that stands now, or was chosen.
  var chosen: Int?
  /// The side that the others came from: what differs from it is marked in them.
  var reference: Int?
}

/// Rows of sides: side by side where there is room, else one under the other.
@UI
final class CompareView: Widget {
  var rows: [CompareRow] = [] { didSet { row = min(row, max(0, rows.count - 1)) } }
  private(set) var row = 0
  private(set) var side = 0
  private var top = 0
  private var hits: [(area: Rect, row: Int, side: Int)] = []
  /// The person chose a side.
  var onChoose: @UI (_ row: Int, _ side: Int) -> Void = { _, _ in }

  func move(_ step: Int) {
    row = min(max(0, row + step), max(0, rows.count - 1))
    side = firstChoosable
  }

  func moveSide(_ step: Int) {
    guard rows.indices.contains(row) else { return }
    var at = side + step
    let sides = rows[row].sides
    while sides.indices.contains(at), !sides[at].canBeChosen { at += step }
    if sides.indices.contains(at) { side = at }
  }

  private var firstChoosable: Int {
    guard rows.indices.contains(row) else { return 0 }
    return rows[row].chosen ?? rows[row].sides.firstIndex { $0.canBeChosen } ?? 0
  }

  /// Places the cursor on something that can be chosen; call it when the rows are set first.
  func begin() { side = firstChoosable }

  func choose(_ number: Int? = nil) {
    guard rows.indices.contains(row) else { return }
    let wanted = number ?? side
    guard rows[row].sides.indices.contains(wanted), rows[row].sides[wanted].canBeChosen else {
      return
    }
    side = wanted
    onChoose(row, wanted)
  }

  func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, mouse.kind == .press,
      let hit = hits.first(where: { $0.area.contains(mouse.point) })
    else { return false }
    row = hit.row
    choose(hit.side)
    return true
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    hits = []
    let blocks = rows.map { CompareBlock($0, columns: max(4, area.columns - 2)) }
    let starts = blocks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.rows) }
    if rows.indices.contains(row) {
      if starts[row] < top { top = starts[row] }
      if starts[row + 1] > top + area.rows { top = starts[row + 1] - area.rows }
    }
    top = min(max(0, top), max(0, (starts.last ?? 0) - area.rows))
    grid.clipped(to: area) { grid in
      for (index, block) in blocks.enumerated() {
        let place = Rect(
          column: area.column + 1, row: area.row + starts[index] - top,
          columns: max(0, area.columns - 2), rows: block.rows)
        guard place.endRow > area.row, place.row < area.endRow else { continue }
        draw(index, block, in: place, isFocused: isFocused, on: &grid)
      }
    }
    if isFocused, grid.cursor == nil { grid.cursor = area.origin }
  }

  private func draw(
    _ index: Int, _ block: CompareBlock, in place: Rect, isFocused: Bool, on grid: inout Grid
  ) {
    let entry = rows[index]
    grid.put(entry.title, in: place.line(0), Style(.heading))
    for (position, piece) in block.pieces.enumerated() {
      var at = piece.area
      at.column += place.column
      at.row += place.row
      let isHere = isFocused && index == row && position == side
      let isChosen = entry.chosen == position
      let surface: Surface = isHere ? .selection : .page
      if isHere {
        grid.fill(at, Style(.text, on: .selection))
        grid.cursor = Point(column: at.column, row: max(0, at.row))
      }
      let side = entry.sides[position]
      let mark = side.canBeChosen ? (isChosen ? "● " : "○ ") : "  "
      grid.put(
        mark + side.label, in: at.line(0),
        Style(isChosen ? .success : .label, on: surface, isChosen ? .bold : []))
      for (line, text) in piece.lines.enumerated() {
        grid.put(
          (StyledText("  ") + text).on(surface), in: at.line(line + 1))
      }
      hits.append((at, index, position))
    }
  }
}

/// Where the sides of one row stand, counted from the row's own corner.
private struct CompareBlock {
  /// Below this a side is too narrow to be read.
  private static let sideColumnsMin = 22
  /// More of a long text is seen in the record itself.
  private static let linesMax = 8

  struct Piece {
    var area: Rect
    var lines: [StyledText]
  }

  private(set) var pieces: [Piece] = []
  private(set) var rows = 0

  init(_ row: CompareRow, columns: Int) {
    let count = max(1, row.sides.count)
    let width = (columns - (count - 1) * 2) / count
    if width >= Self.sideColumnsMin {
      var highest = 0
      for (index, side) in row.sides.enumerated() {
        let lines = Self.lines(of: Self.styled(side, index, of: row), columns: width - 2)
        highest = max(highest, lines.count)
        let area = Rect(column: index * (width + 2), row: 1, columns: width, rows: 0)
        pieces.append(Piece(area: area, lines: lines))
      }
      for index in pieces.indices { pieces[index].area.rows = highest + 1 }
      rows = highest + 3
    } else {
      var at = 1
      for (index, side) in row.sides.enumerated() {
        let lines = Self.lines(of: Self.styled(side, index, of: row), columns: columns - 2)
        let area = Rect(column: 0, row: at, columns: columns, rows: lines.count + 1)
        pieces.append(Piece(area: area, lines: lines))
        at += lines.count + 1
      }
      rows = at + 1
    }
  }

  /// The side's text, with what its writer changed marked in bold.
  private static func styled(
    _ side: CompareRow.Side, _ index: Int, of row: CompareRow
  ) -> StyledText {
    guard let reference = row.reference, reference != index, !side.text.isEmpty else {
      return StyledText(side.text.isEmpty ? "–" : side.text)
    }
    var text = StyledText()
    for part in TextDiff.parts(of: side.text, against: row.sides[reference].text) {
      text.append(
        part.text,
        part.isDifferent ? Style(.changed, on: .page, [.bold, .underline]) : .text)
    }
    return text
  }

  private static func lines(of text: StyledText, columns: Int) -> [StyledText] {
    let all = text.hardLines.flatMap { $0.wrapped(columns: max(1, columns)) }
    return all.count > linesMax ? all.prefix(linesMax - 1) + ["…"] : all
  }
}
