// The line in which a filter is typed: completion of field names and choices, and below it what is
// wrong with it, at its place and as a whole sentence. UI actor.

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

  /// The input, and what the mistake needs below it, or a line for proposals and help.
  func rows(columns: Int) -> Int {
    guard let mistake = shownMistake else { return 2 }
    let remark = Remark(mistake, below: self, columns: columns)
    return 1 + (remark.isBeside ? 1 : 1 + remark.lines.count)
  }

  /// Puts what is wrong in the place of proposals: the filter was refused.
  func insist() { proposals = [] }

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

  private var labelColumns: Int { desk.words.columns(desk.words.filter) }

  private var shownMistake: FilterMistake? {
    proposals.isEmpty && !field.text.isEmpty ? mistake : nil
  }

  /// What is said of a mistake: beside the mark at its place where that fits, or else below it.
  @UI private struct Remark {
    /// More would hide the list that is filtered.
    static let linesMax = 4

    /// Of the mark, from the left end.
    let column: Int
    let sentence: String
    let isBeside: Bool
    let lines: [String]

    init(_ mistake: FilterMistake, below input: FilterInput, columns: Int) {
      let words = input.desk.words
      let before = input.field.text.prefix(words.position(of: mistake))
      let start = input.labelColumns + 1
      column = max(0, min(columns - 1, start + TextWidth.columns(before)))
      sentence = words.sentence(for: mistake)
      isBeside = columns - column - 2 >= TextWidth.columns(sentence)
      lines = Array(
        Wrapping.lines(of: sentence, columns: max(1, columns)).prefix(Self.linesMax))
    }
  }

  func draw(in area: Rect, on grid: inout Grid) {
    var rest = area
    var line = rest.takeRows(1)
    grid.put(desk.words.filter, in: line.takeColumns(labelColumns), .dim)
    _ = line.takeColumns(1)
    field.draw(in: line, on: &grid, isFocused: true)
    let cursor = grid.cursor
    drawBelow(in: rest, on: &grid)
    grid.cursor = cursor
  }

  private func drawBelow(in area: Rect, on grid: inout Grid) {
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
    guard let mistake = shownMistake else {
      grid.put(desk.words.filterHelp, in: area, .dim)
      return
    }
    let remark = Remark(mistake, below: self, columns: area.columns)
    let mark = Point(column: area.column + remark.column, row: area.row)
    guard !remark.isBeside else {
      grid.put("^ " + remark.sentence, at: mark, Style(.error))
      return
    }
    grid.put("^", at: mark, Style(.error))
    for (offset, line) in remark.lines.enumerated() {
      grid.put(line, in: area.line(offset + 1), Style(.error))
    }
  }
}
