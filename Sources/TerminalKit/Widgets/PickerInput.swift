// A value that is chosen in a picker or another screen: a reference, an attachment. UI actor.

package import UILoop

/// Shows a value; Enter or typing opens whatever chooses another.
@UI
package final class PickerInput: Input {
  /// What is shown; empty for no value.
  package var text: String
  package var placeholder: String
  package var role: Role = .text
  package var onChange: @UI () -> Void = {}
  /// Opens the chooser.
  ///
  /// What was typed already comes along.
  package var onOpen: @UI (String) -> Void
  /// Takes the value away (Backspace or Delete).
  package var onClear: @UI () -> Void = {}
  private var lastArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(
    _ text: String = "", placeholder: String = "", onOpen: @escaping @UI (String) -> Void
  ) {
    self.text = text
    self.placeholder = placeholder
    self.onOpen = onOpen
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.enter), .key(.space): onOpen("")
    case .key(Key(.backspace)), .key(Key(.delete)):
      onClear()
      onChange()
    case .key(let key):
      guard let letter = key.typed else { return false }
      onOpen(String(letter))
    case .paste(let paste): onOpen(paste.text)
    case .mouse(let mouse) where mouse.kind == .press && lastArea.contains(mouse.point): onOpen("")
    default: return false
    }
    return true
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
    grid.put("…", in: area.takeColumns(-1), Style(.dim, on: surface))
    let style = Style(text.isEmpty ? .placeholder : role, on: surface)
    grid.put(text.isEmpty ? placeholder : text, in: area, style)
  }
}
