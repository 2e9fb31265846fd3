// Fields one under the other, with labels and messages: scrolled so that the focused one is whole. UI
// actor; it knows no record, and decides nothing about validity.

package import UILoop

/// One field of a form.
@UI
package final class FormField {
  package let id: String
  package var label: String
  package let input: any Input
  package var isRequired = false
  /// Why it can't stay as it is; shown under the input, in the error role.
  package var message = ""
  /// Something worth knowing about it (a default, what changed underneath); under the input, dim.
  package var note = ""
  /// Whether it differs from what was there when the form was opened: marked with `*`.
  package var isChanged = false
  /// What was there before, shown beside a changed field where there is room.
  package var before = ""

  package init(_ id: String, label: String, input: any Input) {
    self.id = id
    self.label = label
    self.input = input
  }

  /// Rows that the message and the note take.
  var remarkRows: Int { (message.isEmpty ? 0 : 1) + (note.isEmpty ? 0 : 1) }
}

/// Fields under each other, one with the focus.
@UI
package final class Form: Widget {
  package private(set) var fields: [FormField]
  package private(set) var ring: FocusRing
  /// Called with the field that lost the focus.
  package var onLeave: @UI (FormField) -> Void = { _ in }
  /// Enter in the last field of those that do not use Enter themselves.
  package var onFinish: @UI () -> Void = {}
  private var top = 0
  private var inputAreas: [(index: Int, area: Rect)] = []
  private var area = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// Widest column of labels.
  private static let labelColumnsMax = 24

  package init(_ fields: [FormField] = []) {
    self.fields = fields
    ring = FocusRing(count: fields.count)
  }

  /// Exchanges the fields; the focus stays on the field of the same id.
  package func replace(_ fields: [FormField]) {
    let id = focused?.id
    self.fields = fields
    ring.count = fields.count
    if let index = fields.firstIndex(where: { $0.id == id }) { ring.focus(index) }
  }

  package var focused: FormField? { fields.isEmpty ? nil : fields[ring.index] }

  package func field(_ id: String) -> FormField? { fields.first { $0.id == id } }

  package func focus(_ id: String) {
    if let index = fields.firstIndex(where: { $0.id == id }) { move { $0.focus(index) } }
  }

  /// Puts the focus on the first field with a message; false when there is none.
  @discardableResult
  package func focusFirstMistake() -> Bool {
    guard let mistaken = fields.first(where: { !$0.message.isEmpty }) else { return false }
    focus(mistaken.id)
    return true
  }

  /// Tells the focused input and ``onLeave`` that typing is over: before saving.
  package func finishTyping() {
    guard let focused else { return }
    (focused.input as? TagsInput)?.finishTyping()
    onLeave(focused)
  }

  private func move(_ change: (inout FocusRing) -> Void) {
    var next = ring
    change(&next)
    guard next.index != ring.index else { return }
    finishTyping()
    ring = next
  }

  package var commands: [Command] {
    focused?.input.commands ?? []
  }

  package func handle(_ event: InputEvent) -> Bool {
    if case .mouse(let mouse) = event, area.contains(mouse.point) { return handle(mouse) }
    guard let focused else { return false }
    if focused.input.handle(event) { return true }
    guard case .key(let key) = event else { return false }
    switch key {
    case .tab: move { $0.next() }
    case .backTab: move { $0.previous() }
    case .down: move { if $0.index + 1 < $0.count { $0.next() } }
    case .up: move { if $0.index > 0 { $0.previous() } }
    case Key(.pageDown): move { $0.focus(min($0.count - 1, $0.index + 5)) }
    case Key(.pageUp): move { $0.focus(max(0, $0.index - 5)) }
    case .enter:
      if ring.index + 1 < fields.count {
        move { $0.next() }
      } else {
        onFinish()
      }
    default: return false
    }
    return true
  }

  private func handle(_ mouse: InputEvent.Mouse) -> Bool {
    switch mouse.kind {
    case .press:
      guard let hit = inputAreas.first(where: { $0.area.contains(mouse.point) }) else {
        return true
      }
      move { $0.focus(hit.index) }
      _ = fields[hit.index].input.handle(.mouse(mouse))
      return true
    case .wheelUp: move { $0.focus(max(0, $0.index - 1)) }
    case .wheelDown: move { $0.focus(min($0.count - 1, $0.index + 1)) }
    case .release, .drag: return false
    }
    return true
  }

  // MARK: Drawing

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    self.area = area
    inputAreas = []
    guard !area.isEmpty, !fields.isEmpty else { return }
    let layout = FormLayout(fields: fields, area: area, labelColumnsMax: Self.labelColumnsMax)
    let focusedRows = layout.rows(of: ring.index)
    if focusedRows.lowerBound < top { top = focusedRows.lowerBound }
    if focusedRows.upperBound > top + area.rows { top = focusedRows.upperBound - area.rows }
    // A field higher than the form shows its beginning.
    if focusedRows.count > area.rows { top = focusedRows.lowerBound }
    top = min(max(0, top), max(0, layout.total - area.rows))
    let needsBar = layout.total > area.rows
    grid.clipped(to: area) { grid in
      for index in fields.indices {
        let rows = layout.rows(of: index)
        guard rows.upperBound > top, rows.lowerBound < top + area.rows else { continue }
        let place = Rect(
          column: area.column, row: area.row + rows.lowerBound - top,
          columns: area.columns - (needsBar ? 2 : 0), rows: rows.count)
        draw(index, in: place, layout: layout, isFocused: isFocused, on: &grid)
      }
    }
    let bar = Rect(column: area.endColumn - 1, row: area.row, columns: 1, rows: area.rows)
    if needsBar {
      Scrollbar.draw(in: bar, first: top, visible: area.rows, total: layout.total, on: &grid)
    }
  }

  private func draw(
    _ index: Int, in place: Rect, layout: FormLayout, isFocused: Bool, on grid: inout Grid
  ) {
    let field = fields[index]
    let hasFocus = isFocused && index == ring.index
    var place = place
    let mark = field.isChanged ? "*" : " "
    let required = field.isRequired ? "!" : ""
    let label =
      StyledText(mark, Style(.changed))
      + StyledText(field.label, Style(hasFocus ? .accent : .label))
      + StyledText(required, Style(.warning))
    if layout.isStacked {
      grid.put(label, in: place.takeRows(1))
      _ = place.takeColumns(1)
    } else {
      grid.put(label, in: place.takeColumns(layout.labelColumns).line(0))
      _ = place.takeColumns(1)
    }
    let remarks = place.takeRows(-field.remarkRows)
    var input = place
    if field.isChanged, input.columns >= 44 {
      let beside = input.takeColumns(-(input.columns / 3))
      grid.put(field.before, in: beside.inset(columns: 1).line(0), Style(.removed, .dim))
    }
    field.input.draw(in: input, on: &grid, isFocused: hasFocus)
    inputAreas.append((index, input))
    var line = remarks
    if !field.message.isEmpty { grid.put("! " + field.message, in: line.takeRows(1), .error) }
    if !field.note.isEmpty { grid.put(field.note, in: line.takeRows(1), .dim) }
  }
}

extension Style {
  fileprivate init(_ role: Role, _ attributes: Attributes) {
    self.init(role, on: .page, attributes)
  }
}

/// Where each field of a form stands.
@UI
struct FormLayout {
  let labelColumns: Int
  /// Labels stand above their inputs where the form is narrow.
  let isStacked: Bool
  private var starts: [Int] = []
  private(set) var total = 0

  init(fields: [FormField], area: Rect, labelColumnsMax: Int) {
    let longest = fields.map { TextWidth.columns($0.label) + 2 }.max() ?? 0
    isStacked = area.columns < 36
    labelColumns = min(longest, labelColumnsMax, max(8, area.columns / 3))
    let inputColumns = isStacked ? area.columns - 1 : area.columns - labelColumns - 1
    for field in fields {
      starts.append(total)
      let rows = max(1, field.input.rows(columns: max(1, inputColumns)))
      total += rows + field.remarkRows + (isStacked ? 1 : 0)
    }
  }

  func rows(of index: Int) -> Range<Int> {
    starts[index]..<(index + 1 < starts.count ? starts[index + 1] : total)
  }
}
