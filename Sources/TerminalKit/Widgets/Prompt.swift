// One line asked for, in a box. UI actor.

package import UILoop

/// Asks for one line of text.
///
/// Tab completes where completions are given (a path).
@UI
package final class Prompt: Layer {
  package let title: String
  package var isOverlay: Bool { true }
  package var takesLetters: Bool { true }
  /// Why the text can't be taken; nil when it can.
  ///
  /// Asked at each change and at Enter.
  package var check: @UI (String) -> String? = { _ in nil }
  /// What the text could be completed to.
  package var completions: @UI (String) -> [String] = { _ in [] }
  private unowned let stage: Stage
  private let field: TextField
  private let explanation: String
  private let entered: @UI (String) -> Void
  private var offered: [String] = []
  private var complaint: String?

  /// A prompt that calls `entered` with the text; not at all when it is left by Esc.
  package init(
    stage: Stage, title: String, explanation: String = "", text: String = "",
    placeholder: String = "", mask: Character? = nil, entered: @escaping @UI (String) -> Void
  ) {
    self.stage = stage
    self.title = title
    self.explanation = explanation
    self.entered = entered
    field = TextField(text, placeholder: placeholder, mask: mask)
    field.onChange = { [unowned self] in
      offered = []
      complaint = check(field.text)
    }
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(.escape): stage.close(self)
    case .key(.enter):
      complaint = check(field.text)
      guard complaint == nil else { break }
      stage.close(self)
      entered(field.text)
    case .key(.tab): complete()
    default: return field.handle(event)
    }
    return true
  }

  private func complete() {
    let found = completions(field.text)
    guard let first = found.first else { return }
    let common = found.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if common.count > field.text.count { field.enter(common) }
    offered = found.count > 1 ? found : []
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    let columns = min(72, area.columns)
    let lines =
      explanation.isEmpty ? [] : Wrapping.lines(of: explanation, columns: max(1, columns - 4))
    let shown = Array(offered.prefix(6))
    let rows = 3 + lines.count + shown.count + (complaint == nil ? 0 : 1)
    let box = area.centred(columns: columns, rows: min(rows, area.rows))
    grid.fill(box, Style(.text, on: .dialog))
    var inner = grid.frame(box, title: title, Style(.activeBorder, on: .dialog)).inset(columns: 1)
    for line in lines { grid.put(line, in: inner.takeRows(1), Style(.text, on: .dialog)) }
    let input = inner.takeRows(1)
    if let complaint { grid.put(complaint, in: inner.takeRows(1), Style(.error, on: .dialog)) }
    for text in shown { grid.put(text, in: inner.takeRows(1), Style(.dim, on: .dialog)) }
    field.draw(in: input, on: &grid, isFocused: true)
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
