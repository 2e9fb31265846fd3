// The line in which a filter is typed: completion of field names and choices, and below it what is
// wrong with it, at its place. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// A text field for filters.
@UI
final class FilterInput {
  private let desk: Desk
  private let field: TextField
  var type: RecordType
  var mistake: FilterMistake?
  var onChange: @UI () -> Void = {}
  private var proposals: [String] = []
  private var proposed = 0

  init(desk: Desk, type: RecordType, text: String) {
    self.desk = desk
    self.type = type
    field = TextField(text, placeholder: desk.words.filterHint)
    field.onChange = { [unowned self] in
      propose()
      onChange()
    }
  }

  var text: String {
    get { field.text }
    set {
      field.text = newValue
      proposals = []
    }
  }

  /// The input, and a line for the mistake or the proposals.
  var rows: Int { 2 }

  func handle(_ event: InputEvent) -> Bool {
    if case .key(let key) = event {
      switch key {
      case .tab:
        complete()
        return true
      case .down where proposals.count > 1:
        proposed = (proposed + 1) % proposals.count
        return true
      case .up where proposals.count > 1:
        proposed = (proposed + proposals.count - 1) % proposals.count
        return true
      default: break
      }
    }
    return field.handle(event)
  }

  // MARK: Completion

  /// Proposals shown at once: more do not fit on the line.
  private static let proposalsMax = 12

  private var completion: FilterCompletion {
    let before = field.text.prefix(field.buffer.cursor.offset)
    return FilterCompletion(field.text, at: before.utf8.count, for: type)
  }

  private func propose() {
    proposed = 0
    let completion = completion
    // Nothing typed: a list of everything helps nobody.
    let isBlank = completion.replacing.isEmpty && !field.text.hasSuffix("=")
    proposals = isBlank ? [] : Array(completion.candidates.map(\.text).prefix(Self.proposalsMax))
  }

  private func complete() {
    let completion = completion
    guard completion.candidates.indices.contains(proposed) else { return }
    let utf8 = Array(field.text.utf8)
    let range = completion.replacing.clamped(to: 0..<utf8.count)
    let chosen = completion.candidates[proposed].text
    field.enter(
      String(decoding: utf8[..<range.lowerBound], as: UTF8.self) + chosen
        + String(decoding: utf8[range.upperBound...], as: UTF8.self))
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    var rest = area
    var line = rest.takeRows(1)
    let label = desk.words.filter
    let labelColumns = desk.words.columns(label)
    grid.put(label, in: line.takeColumns(labelColumns), .dim)
    _ = line.takeColumns(1)
    field.draw(in: line, on: &grid, isFocused: true)
    let cursor = grid.cursor
    drawBelow(in: rest, start: line.column, on: &grid)
    grid.cursor = cursor
  }

  private func drawBelow(in area: Rect, start: Int, on grid: inout Grid) {
    guard !area.isEmpty else { return }
    if !proposals.isEmpty {
      var text = StyledText()
      for (index, proposal) in proposals.enumerated() {
        text.append(" ")
        text.append(proposal, index == proposed ? Style(.accent, .underline) : .dim)
      }
      text.append("  Tab", Style(.key))
      grid.put(text, in: area)
      return
    }
    guard let mistake, !field.text.isEmpty else {
      grid.put(desk.words.filterHelp, in: area, .dim)
      return
    }
    let sentence = desk.words.sentence(for: mistake)
    let before = field.text.prefix(desk.words.position(of: mistake))
    let column = min(area.endColumn - 1, start + TextWidth.columns(before))
    let room = area.endColumn - column - 2
    if room >= TextWidth.columns(sentence) {
      grid.put("^ " + sentence, at: Point(column: column, row: area.row), Style(.error))
    } else {
      // No room on its right: the sentence stands before the mark.
      let width = column - area.column - 1
      var left = area
      grid.put(sentence, in: left.takeColumns(max(0, width)), Style(.error), align: .trailing)
      grid.put("^", at: Point(column: column, row: area.row), Style(.error))
    }
  }
}
