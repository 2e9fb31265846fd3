// A question with a few answers, over everything else. UI actor.

package import UILoop

/// A box with a text and buttons.
@UI
package final class Dialog: Layer {
  package struct Button: Sendable {
    package var title: String
    /// A letter that presses it.
    package var key: Character?
    package var isDangerous: Bool

    package init(_ title: String, key: Character? = nil, isDangerous: Bool = false) {
      self.title = title
      self.key = key
      self.isDangerous = isDangerous
    }
  }

  package let title: String
  private let text: String
  private let buttons: [Button]
  private let tone: Stage.Tone
  private unowned let stage: Stage
  private var focused: Int
  private var areas: [Rect] = []
  private var firstLine = 0
  /// Called once, with the button's number, or nil for Esc.
  private var answer: (@UI (Int?) -> Void)?

  package init(
    stage: Stage, title: String, text: String, buttons: [Button], focused: Int = 0,
    tone: Stage.Tone = .plain, answer: @escaping @UI (Int?) -> Void
  ) {
    self.stage = stage
    self.title = title
    self.text = text
    self.buttons = buttons
    self.focused = min(max(0, focused), max(0, buttons.count - 1))
    self.tone = tone
    self.answer = answer
  }

  package var isOverlay: Bool { true }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key): return handle(key)
    case .mouse(let mouse) where mouse.kind == .press:
      if let hit = areas.firstIndex(where: { $0.contains(mouse.point) }) { finish(hit) }
      return true
    default: return true
    }
  }

  private func handle(_ key: Key) -> Bool {
    switch key {
    case .escape: finish(nil)
    case .enter, .space: finish(focused)
    case .right, .tab: focused = (focused + 1) % max(1, buttons.count)
    case .left, .backTab: focused = (focused + buttons.count - 1) % max(1, buttons.count)
    case .up: firstLine = max(0, firstLine - 1)
    case .down: firstLine += 1
    default:
      let letter = key.typed.map { $0.lowercased() }
      guard
        let hit = buttons.firstIndex(where: { $0.key.map(String.init) == letter && letter != nil })
      else {
        if key.modifiers.isEmpty { stage.sayNothingHappens([key]) }
        return key.modifiers.isEmpty
      }
      finish(hit)
    }
    return true
  }

  private func finish(_ index: Int?) {
    let answer = self.answer
    self.answer = nil
    stage.close(self)
    answer?(index)
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    let buttonWidth = buttons.reduce(0) { $0 + TextWidth.columns(label(of: $1)) + 2 }
    let wanted = max(buttonWidth, TextWidth.columns(title) + 4, 24)
    let longest = text.split(separator: "\n").map { TextWidth.columns($0) }.max() ?? 0
    let columns = min(area.columns, min(76, max(wanted, longest)) + 4)
    let lines = Wrapping.lines(of: text, columns: max(1, columns - 4))
    let rows = min(area.rows, lines.count + 4)
    let box = area.centred(columns: columns, rows: rows)
    grid.fill(box, Style(.text, on: .dialog))
    let border = Style(tone == .plain ? .activeBorder : tone.role, on: .dialog)
    var inner = grid.frame(box, title: title, border).inset(columns: 1)
    let buttonLine = inner.takeRows(-1)
    if inner.rows > lines.count { _ = inner.takeRows(-1) }
    firstLine = min(firstLine, max(0, lines.count - inner.rows))
    for (offset, line) in lines.dropFirst(firstLine).prefix(inner.rows).enumerated() {
      grid.put(line, in: inner.line(offset), Style(.text, on: .dialog))
    }
    drawButtons(in: buttonLine, on: &grid)
  }

  private func label(of button: Button) -> String { "[ \(button.title) ]" }

  private func drawButtons(in area: Rect, on grid: inout Grid) {
    let total = buttons.reduce(-2) { $0 + TextWidth.columns(label(of: $1)) + 2 }
    var column = area.column + max(0, (area.columns - total) / 2)
    areas = []
    for (index, button) in buttons.enumerated() {
      let isFocused = index == focused
      let width = TextWidth.columns(label(of: button))
      let place = Rect(column: column, row: area.row, columns: width, rows: 1).intersection(area)
      let role: Role = button.isDangerous ? .error : .text
      let style = Style(role, on: isFocused ? .focusedButton : .button, isFocused ? .bold : [])
      grid.put(label(of: button), in: place, style)
      if isFocused { grid.cursor = Point(column: column + 2, row: area.row) }
      areas.append(place)
      column += width + 2
    }
  }
}

extension Stage {
  /// Asks, and calls `answer` with the chosen button's number, or nil if it was left by Esc.
  package func ask(
    _ title: String, _ text: String, buttons: [Dialog.Button], focused: Int = 0,
    tone: Tone = .plain, answer: @escaping @UI (Int?) -> Void
  ) {
    push(
      Dialog(
        stage: self, title: title, text: text, buttons: buttons, focused: focused, tone: tone,
        answer: answer))
  }

  /// Asks, and returns the chosen button's number, or nil if it was left by Esc.
  package func ask(
    _ title: String, _ text: String, buttons: [Dialog.Button], focused: Int = 0, tone: Tone = .plain
  ) async -> Int? {
    await withCheckedContinuation { continuation in
      ask(title, text, buttons: buttons, focused: focused, tone: tone) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Tells something that must be read.
  package func tell(_ title: String, _ text: String, tone: Tone = .plain) {
    ask(title, text, buttons: [Dialog.Button(phrases.ok)], tone: tone) { _ in }
  }
}
