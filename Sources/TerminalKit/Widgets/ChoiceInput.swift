// One of a few given values. UI actor.

package import UILoop

/// A value from a list: arrows step through it, letters jump, Enter opens the whole list.
@UI
package final class ChoiceInput: Input {
  package var options: [String]
  package private(set) var selected: Int?
  private let allowsNone: Bool
  package var onChange: @UI () -> Void = {}
  /// Where the list is opened.
  private unowned let stage: Stage
  private let title: String
  private var lastArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(
    stage: Stage, title: String, options: [String], selected: Int? = nil, allowsNone: Bool = true
  ) {
    self.stage = stage
    self.title = title
    self.options = options
    self.selected = selected
    self.allowsNone = allowsNone
  }

  package var value: String? {
    selected.flatMap { options.indices.contains($0) ? options[$0] : nil }
  }

  /// Sets the value without telling anybody.
  package func place(_ index: Int?) {
    selected = index
  }

  private func choose(_ index: Int?) {
    guard index != selected, index != nil || allowsNone else { return }
    selected = index
    onChange()
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key): return handle(key)
    case .mouse(let mouse) where mouse.kind == .press && lastArea.contains(mouse.point):
      open()
      return true
    default: return false
    }
  }

  private func handle(_ key: Key) -> Bool {
    guard !options.isEmpty else { return false }
    switch key {
    case .right, .space: choose(selected.map { ($0 + 1) % options.count } ?? 0)
    case .left:
      choose(selected.map { ($0 + options.count - 1) % options.count } ?? options.count - 1)
    case Key(.backspace), Key(.delete): choose(nil)
    case .enter: open()
    default:
      guard let letter = key.typed else { return false }
      let wanted = letter.lowercased()
      let start = (selected ?? -1) + 1
      let order = (0..<options.count).map { (start + $0) % options.count }
      if let hit = order.first(where: { options[$0].lowercased().hasPrefix(wanted) }) {
        choose(hit)
      }
    }
    return true
  }

  private func open() {
    let items = options.map { PickerItem(id: $0, title: $0) }
    let picker = Picker(
      stage: stage, title: title, items: items, selected: value, allowsNone: allowsNone
    ) { [weak self] item in
      guard let self else { return }
      self.choose(item.flatMap { item in self.options.firstIndex(of: item.id) })
    }
    stage.push(picker)
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    var area = area.line(0)
    lastArea = area
    let surface: Surface = isFocused ? .focusedField : .field
    grid.fill(area, Style(.text, on: surface))
    if isFocused, !area.isEmpty {
      grid.cursor = area.origin
      grid.isCursorVisible = true
    }
    let arrows = area.takeColumns(-2)
    grid.put("‹›", in: arrows, Style(.dim, on: surface))
    let style = Style(value == nil ? .placeholder : .text, on: surface)
    grid.put(value ?? stage.phrases.noValue, in: area, style)
  }
}
