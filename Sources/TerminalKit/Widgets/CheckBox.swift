// Yes or no. UI actor.

package import UILoop

/// A value that is on or off, or for an optional one not given.
@UI
package final class CheckBox: Input {
  package var isOn: Bool?
  package var label: String
  /// Shown beside the box while there is no value.
  package var placeholder: String
  private let allowsNone: Bool
  package var onChange: @UI () -> Void = {}
  private var lastArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(
    _ isOn: Bool?, label: String = "", placeholder: String = "", allowsNone: Bool = false
  ) {
    self.isOn = isOn
    self.label = label
    self.placeholder = placeholder
    self.allowsNone = allowsNone
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.space): step()
    case .key(Key("y")), .key(Key("+")): set(true)
    case .key(Key("n")), .key(Key("-")): set(false)
    case .key(Key(.backspace)), .key(Key(.delete)): if allowsNone { set(nil) }
    case .mouse(let mouse) where mouse.kind == .press && lastArea.contains(mouse.point): step()
    default: return false
    }
    return true
  }

  /// Ticks it, or takes the tick away; no value at all is what Backspace and Delete leave.
  private func step() { set(isOn != true) }

  private func set(_ value: Bool?) {
    guard value != isOn else { return }
    isOn = value
    onChange()
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    let area = area.line(0)
    lastArea = area
    let mark = isOn.map { $0 ? "[x]" : "[ ]" } ?? "[-]"
    let style = Style(.text, on: isFocused ? .focusedField : .field)
    grid.put(label.isEmpty ? mark : mark + " " + label, in: area, style)
    if isOn == nil {
      var rest = area
      _ = rest.takeColumns(TextWidth.columns(mark) + 1 + TextWidth.columns(label))
      grid.put(placeholder, in: rest, Style(.placeholder))
    }
    if isFocused, !area.isEmpty {
      grid.cursor = Point(column: min(area.column + 1, area.endColumn - 1), row: area.row)
      grid.isCursorVisible = true
    }
  }
}
