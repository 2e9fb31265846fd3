// A set of short words. UI actor.

package import UILoop

/// Tags as one line: those there are, and a field for the next one.
///
/// Enter, comma or leaving the field adds what was typed; Backspace in an empty field takes the last tag
/// into the field; Tab completes from the suggestions.
@UI
package final class TagsInput: Input {
  package private(set) var tags: [String]
  package var onChange: @UI () -> Void = {}
  /// Known tags that begin with what is typed, best first.
  package var suggestions: @UI (String) -> [String]
  private let field: TextField

  package init(
    _ tags: [String] = [], placeholder: String = "",
    suggestions: @escaping @UI (String) -> [String] = { _ in [] }
  ) {
    self.tags = tags
    self.suggestions = suggestions
    field = TextField(placeholder: placeholder)
  }

  /// Sets the value without telling anybody.
  package func place(_ tags: [String]) {
    self.tags = tags
    field.text = ""
  }

  private func suggestion() -> String? {
    guard !field.buffer.isEmpty else { return nil }
    return suggestions(field.text).first { !tags.contains($0) && $0.hasPrefix(field.text) }
  }

  /// Adds what was typed, if anything; call it also when the focus leaves.
  package func finishTyping() {
    let typed = field.text.split(separator: ",").map { Self.trimmed($0) }
    let new = typed.filter { !$0.isEmpty && !tags.contains($0) }
    field.text = ""
    guard !new.isEmpty else { return }
    for tag in new where !tags.contains(tag) { tags.append(tag) }
    onChange()
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.enter):
      guard !field.buffer.isEmpty else { return false }
      finishTyping()
    case .key(Key(",")): finishTyping()
    case .key(.tab):
      guard let suggestion = suggestion() else { return false }
      field.text = suggestion
      finishTyping()
    case .key(Key(.backspace)) where field.buffer.isEmpty:
      guard let last = tags.popLast() else { return false }
      field.text = last
      onChange()
    case .paste(let paste):
      field.text += paste.text.replacing("\n", with: ",")
      finishTyping()
    default: return field.handle(event)
    }
    return true
  }

  package func rows(columns: Int) -> Int {
    lines(columns: columns).count
  }

  /// The tags in rows, with room for the field in the last one.
  private func lines(columns: Int) -> [[String]] {
    var lines: [[String]] = [[]]
    var used = 0
    for tag in tags {
      let width = TextWidth.columns(tag) + 2
      if used + width > columns, used > 0 {
        lines.append([])
        used = 0
      }
      lines[lines.count - 1].append(tag)
      used += width
    }
    if used + 12 > columns, used > 0 { lines.append([]) }
    return lines
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    let surface: Surface = isFocused ? .focusedField : .field
    grid.fill(area, Style(.text, on: surface))
    let lines = lines(columns: area.columns)
    for (index, line) in lines.enumerated() where index < area.rows {
      var column = area.column
      for tag in line {
        let limit = area.endColumn - column - 1
        guard limit > 0 else { break }
        column =
          grid.put(
            tag, at: Point(column: column, row: area.row + index), limit: limit,
            Style(.accent, on: surface)) + 2
      }
      guard index == lines.count - 1 else { continue }
      let rest = Rect(
        column: column, row: area.row + index, columns: area.endColumn - column, rows: 1)
      field.draw(in: rest, on: &grid, isFocused: isFocused)
      if isFocused, let suggestion = suggestion() {
        let typed = TextWidth.columns(field.text)
        grid.put(
          String(suggestion.dropFirst(field.text.count)),
          at: Point(column: column + typed, row: area.row + index), Style(.dim, on: surface))
      }
    }
  }
}
