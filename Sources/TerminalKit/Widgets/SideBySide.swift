// Several versions of the same fields, beside each other: the base of a conflict and its sides, a
// record before and after. UI actor; it knows no record.

package import UILoop

/// A table of fields (rows) in versions (columns), one of which can be chosen for each field.
@UI
package final class SideBySide: Widget {
  package struct Version: Sendable {
    package var title: String
    /// Who and when, under the title.
    package var subtitle: String
    /// Whether a field can take this version's value.
    package var isChoosable: Bool

    package init(_ title: String, subtitle: String = "", isChoosable: Bool = true) {
      self.title = title
      self.subtitle = subtitle
      self.isChoosable = isChoosable
    }
  }

  package struct Row: Sendable {
    package var label: String
    /// One for each version; nil where the version has no value.
    package var values: [String?]
    /// The version whose value the field takes.
    package var chosen: Int?
    /// A value of a person's own instead of a version's, shown under the row.
    package var ownValue: String?

    package init(_ label: String, values: [String?], chosen: Int? = nil, ownValue: String? = nil) {
      self.label = label
      self.values = values
      self.chosen = chosen
      self.ownValue = ownValue
    }
  }

  package var versions: [Version]
  package var rows: [Row]
  /// Differences are marked against this version (the base); nil marks none.
  package var reference: Int?
  package var noValue = "–"
  package private(set) var selectedRow = 0
  package private(set) var selectedVersion = 0
  /// Enter or Space on a choosable value: row, version.
  package var onChoose: @UI (Int, Int) -> Void = { _, _ in }
  private var top = 0
  private var cellAreas: [(area: Rect, row: Int, version: Int)] = []

  /// Rows that one value takes at most; the selected row shows more.
  private static let valueRowsMax = 4
  private static let selectedRowsMax = 12

  package init(versions: [Version], rows: [Row], reference: Int? = nil) {
    self.versions = versions
    self.rows = rows
    self.reference = reference
    selectedVersion = versions.firstIndex { $0.isChoosable } ?? 0
  }

  package func select(row: Int, version: Int? = nil) {
    selectedRow = min(max(0, row), max(0, rows.count - 1))
    if let version { selectedVersion = min(max(0, version), max(0, versions.count - 1)) }
  }

  private func choose() {
    guard rows.indices.contains(selectedRow), versions.indices.contains(selectedVersion),
      versions[selectedVersion].isChoosable
    else { return }
    onChoose(selectedRow, selectedVersion)
  }

  package var commands: [Command] {
    func moving(
      _ id: String, _ title: String, _ keys: [String], _ move: @escaping @UI (SideBySide) -> Void
    ) -> Command {
      Command("versions." + id, title, keys: keys, isPlumbing: true) { [weak self] in
        if let self { move(self) }
      }
    }
    return [
      moving("down", "Down", ["Down", "j"]) { $0.select(row: $0.selectedRow + 1) },
      moving("up", "Up", ["Up", "k"]) { $0.select(row: $0.selectedRow - 1) },
      moving("right", "Right", ["Right", "l"]) {
        $0.select(row: $0.selectedRow, version: $0.selectedVersion + 1)
      },
      moving("left", "Left", ["Left", "h"]) {
        $0.select(row: $0.selectedRow, version: $0.selectedVersion - 1)
      },
      moving("choose", "Choose", ["Enter", "Space"]) { $0.choose() },
    ]
  }

  package func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, mouse.kind == .press,
      let hit = cellAreas.first(where: { $0.area.contains(mouse.point) })
    else { return false }
    let isSame = hit.row == selectedRow && hit.version == selectedVersion
    select(row: hit.row, version: hit.version)
    if isSame { choose() }
    return true
  }

  // MARK: Drawing

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    cellAreas = []
    guard !area.isEmpty, !versions.isEmpty else { return }
    var body = area
    let labelColumns = min(
      rows.map { TextWidth.columns($0.label) }.max() ?? 0, max(6, area.columns / 5))
    var shares = [Share.fixed(labelColumns, priority: 3)]
    // On a narrow screen the selected version and the reference stay, then what fits.
    shares += versions.indices.map { index in
      Share(
        minimum: 14, weight: 1,
        priority: index == selectedVersion ? 2 : index == reference ? 1 : 0)
    }
    let lengths = Share.distribute(shares, over: area.columns, gap: 2)
    drawTitles(in: body.takeRows(min(2, body.rows)), lengths: lengths, on: &grid)
    let heights = rows.indices.map { height(of: $0, lengths: lengths) }
    keepSelectionVisible(heights, visible: body.rows)
    for index in rows.indices.dropFirst(top) where body.rows > 0 {
      let place = body.takeRows(heights[index])
      drawRow(index, in: place, lengths: lengths, isFocused: isFocused, on: &grid)
    }
  }

  private func columns(in area: Rect, lengths: [Int]) -> [Rect] {
    var at = area.column
    return lengths.map { length in
      defer { at += length == 0 ? 0 : length + 2 }
      return Rect(column: at, row: area.row, columns: length, rows: length == 0 ? 0 : area.rows)
        .intersection(area)
    }
  }

  private func drawTitles(in area: Rect, lengths: [Int], on grid: inout Grid) {
    for (version, place) in zip(versions, columns(in: area, lengths: lengths).dropFirst()) {
      grid.put(version.title, in: place.line(0), Style(.heading))
      grid.put(version.subtitle, in: place.line(1), .dim)
    }
  }

  private func height(of index: Int, lengths: [Int]) -> Int {
    let limit = index == selectedRow ? Self.selectedRowsMax : Self.valueRowsMax
    var height = 1
    for (value, length) in zip(rows[index].values, lengths.dropFirst()) where length > 2 {
      let lines = Wrapping.lines(of: value ?? "", columns: length - 2).count
      height = max(height, min(limit, lines))
    }
    return height + (rows[index].ownValue == nil ? 0 : 1)
  }

  private func keepSelectionVisible(_ heights: [Int], visible: Int) {
    guard !rows.isEmpty else { return }
    selectedRow = min(selectedRow, rows.count - 1)
    top = min(top, selectedRow)
    while top < selectedRow, heights[top...selectedRow].reduce(0, +) > visible { top += 1 }
  }

  private func drawRow(
    _ index: Int, in area: Rect, lengths: [Int], isFocused: Bool, on grid: inout Grid
  ) {
    let row = rows[index]
    let places = columns(in: area, lengths: lengths)
    grid.put(row.label, in: places[0].line(0), Style(.label))
    for (version, place) in places.dropFirst().enumerated() where !place.isEmpty {
      guard version < row.values.count else { break }
      let isSelected = index == selectedRow && version == selectedVersion
      let surface: Surface = isSelected ? (isFocused ? .selection : .idleSelection) : .page
      if isSelected { grid.fill(place, Style(.text, on: surface)) }
      if isSelected, isFocused { grid.cursor = place.origin }
      cellAreas.append((place, index, version))
      let isChosen = row.chosen == version && row.ownValue == nil
      var text = place
      grid.put(isChosen ? "●" : " ", in: text.takeColumns(2), Style(.success, on: surface))
      drawValue(row.values[version], against: version, of: row, in: text, surface, on: &grid)
    }
    if let own = row.ownValue, let first = places.dropFirst().first {
      var line = area.line(area.rows - 1)
      _ = line.takeColumns(first.column - area.column)
      grid.put("● " + own, in: line, Style(.success))
    }
  }

  private func drawValue(
    _ value: String?, against version: Int, of row: Row, in area: Rect, _ surface: Surface,
    on grid: inout Grid
  ) {
    guard let value else { return grid.put(noValue, in: area, Style(.dim, on: surface)) }
    var styled = StyledText()
    if let reference, reference != version, row.values.indices.contains(reference),
      let base = row.values[reference]
    {
      for part in TextDiff.parts(of: value, against: base) {
        styled.append(
          part.text,
          Style(part.isDifferent ? .changed : .text, on: surface, part.isDifferent ? .bold : []))
      }
    } else {
      styled.append(value, Style(.text, on: surface))
    }
    let lines = styled.hardLines.flatMap { $0.wrapped(columns: max(1, area.columns)) }
    for (offset, line) in lines.prefix(area.rows).enumerated() {
      grid.put(line, in: area.line(offset))
    }
    if lines.count > area.rows, area.columns > 0 {
      let corner = Point(column: area.endColumn - 1, row: area.endRow - 1)
      grid.put("…", at: corner, Style(.dim, on: surface))
    }
  }
}

extension StyledText {
  /// The text cut at its line ends.
  package var hardLines: [StyledText] {
    var lines = [StyledText()]
    for run in runs {
      for (index, piece) in run.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { lines.append(StyledText()) }
        lines[lines.count - 1].append(String(piece), run.style)
      }
    }
    return lines
  }
}
