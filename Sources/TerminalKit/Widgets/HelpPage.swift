// What can be done here, with which keys: made from the live tables, searchable, executable.
// UI actor.

package import UILoop

/// How the help's columns share a width: three of them, or the sentence below the title on a narrow one.
struct HelpShape {
  private static let keysMax = 18
  private static let titlesMax = 24
  /// Of a sentence beside its title; with less it goes below.
  private static let sentenceMin = 30
  /// The list's gutter, its scrollbar, and the gap between two columns.
  private static let margin = 3
  private static let gap = 2

  private let keyColumns: Int
  private let titleColumns: Int
  private let sentenceColumns: Int
  private let isNarrow: Bool

  /// - Parameters:
  ///   - keys: Columns of the longest keys; `titles` of the longest title.
  init(keys: Int, titles: Int, columns: Int) {
    let room = columns - Self.margin
    let beside = room - min(keys, Self.keysMax) - min(titles, Self.titlesMax) - 2 * Self.gap
    isNarrow = beside < Self.sentenceMin
    keyColumns = max(1, min(keys, isNarrow ? room / 3 : Self.keysMax))
    sentenceColumns = max(1, isNarrow ? room - keyColumns - Self.gap : beside)
    titleColumns = max(1, isNarrow ? sentenceColumns : min(titles, Self.titlesMax))
  }

  var listColumns: [ListColumn] {
    let narrow = [
      ListColumn("key", "", width: .fixed(keyColumns, priority: 2)),
      ListColumn("title", "", width: .fixed(titleColumns, priority: 1)),
    ]
    guard !isNarrow else { return narrow }
    return narrow + [ListColumn("help", "", width: .fixed(sentenceColumns, priority: 0))]
  }

  func rows(keys: String, title: String, help: String, isOff: Bool) -> [ListRow] {
    let keyLines = Wrapping.lines(of: keys, columns: keyColumns)
    let titleLines = Wrapping.lines(of: title, columns: titleColumns)
    let helpLines = help.isEmpty ? [] : Wrapping.lines(of: help, columns: sentenceColumns)
    let role: Role = isOff ? .dim : .text
    let titles = titleLines.map { ListCell($0, role) }
    let sentence = helpLines.map { ListCell($0, .dim) }
    let second = isNarrow ? titles + sentence : titles
    let third = isNarrow ? [] : sentence
    let count = max(keyLines.count, second.count, third.count)
    return (0..<count).map { line in
      let cells = [
        line < keyLines.count ? ListCell(keyLines[line], .key) : "",
        line < second.count ? second[line] : "", line < third.count ? third[line] : "",
      ]
      return line == 0 ? ListRow(cells) : .more(cells)
    }
  }
}

/// The help of the screen that was on top when it was opened.
@UI
package final class HelpPage: Layer {
  private unowned let stage: Stage
  private let about: String
  private let all: [Command]
  private var found: [Command]
  private let rows = ListRows()
  /// For each row, the number of its command among those that were found.
  private var owners: [Int] = []
  private var shape: HelpShape
  private var columns = 80
  private let list: ListView
  private let field: TextField

  package init(stage: Stage) {
    self.stage = stage
    about = stage.top?.title ?? ""
    all = Self.ordered(
      stage.availableCommands.filter { $0.id != "stage.help" }, titles: stage.phrases.titles)
    found = all
    field = TextField(placeholder: stage.phrases.search)
    shape = HelpShape(keys: 0, titles: 0, columns: 0)
    list = ListView(columns: [], source: rows, showsHeader: false)
    list.emptyText = stage.phrases.nothingFound
    field.onChange = { [unowned self] in search() }
    list.onOpen = { [unowned self] in run($0) }
    search()
  }

  package var title: String { stage.phrases.help }
  package var takesLetters: Bool { true }
  package var commands: [Command] {
    let typing: Set<String> = ["list.down", "list.up", "list.pageDown", "list.pageUp", "list.open"]
    return list.commands.filter { typing.contains($0.id) }
  }

  /// What one comes for first, moving about last.
  private static func ordered(_ commands: [Command], titles: [String: String]) -> [Command] {
    let named = commands.map { command in
      var command = command
      command.title = titles[command.id] ?? command.title
      return command
    }
    return named.filter { !$0.isPlumbing } + named.filter(\.isPlumbing)
  }

  private func search() {
    found = Fuzzy.sorted(all, by: field.text) { command in
      keys(of: command) + " " + command.title + " " + command.help
    }
    layOut()
    list.place(0)
  }

  /// Makes the rows for the width: no sentence is cut.
  private func layOut() {
    shape = HelpShape(
      keys: all.map { TextWidth.columns(keys(of: $0)) }.max() ?? 0,
      titles: all.map { TextWidth.columns($0.title) }.max() ?? 0, columns: columns)
    list.columns = shape.listColumns
    rows.rows = []
    owners = []
    for (index, command) in found.enumerated() {
      let reason = command.whyNot()
      let help = reason.map { command.help.isEmpty ? $0 : command.help + " (" + $0 + ")" }
      let made = shape.rows(
        keys: keys(of: command), title: command.title, help: help ?? command.help,
        isOff: reason != nil)
      rows.rows += made
      owners += made.map { _ in index }
    }
  }

  private func keys(of command: Command) -> String {
    stage.keyMap.sequences(of: command).map { sequence in
      sequence.map(\.description).joined(separator: " ")
    }.joined(separator: ", ")
  }

  private func run(_ index: Int) {
    guard owners.indices.contains(index), found.indices.contains(owners[index]) else { return }
    let command = found[owners[index]]
    stage.close(self)
    stage.perform(command)
  }

  package func handle(_ event: InputEvent) -> Bool {
    if case .key(.escape) = event {
      stage.close(self)
      return true
    }
    return field.handle(event) || list.handle(event)
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    var line = area.takeRows(1)
    grid.put(about, in: line.takeColumns(-min(30, line.columns / 3)), .title, align: .trailing)
    if area.columns != columns {
      columns = area.columns
      let selected = list.selected.flatMap { owners.indices.contains($0) ? owners[$0] : nil }
      layOut()
      list.place(owners.firstIndex { $0 == selected } ?? 0)
    }
    list.draw(in: area, on: &grid, isFocused: true)
    field.draw(in: line.inset(columns: 1), on: &grid, isFocused: true)
  }
}
