// The colours, edited on a detached copy that the whole screen shows while one works on it. UI actor.

internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Edits the palette.
@UI
final class AppearanceScreen: DeskLayer {
  let desk: Desk
  private let model: AppearanceViewModel
  private let list: ListView
  private let rows = ListRows()
  private let preview = PalettePreview()
  private let before: Palette
  private var following: Following?
  private var isAsking = false

  init(desk: Desk, model: AppearanceViewModel) {
    self.desk = desk
    self.model = model
    before = desk.stage.palette
    list = ListView(
      columns: [
        TerminalKit.ListColumn("role", desk.words.role, width: Share(minimum: 14, weight: 1)),
        TerminalKit.ListColumn("fore", desk.words.foreground, width: .fixed(14, priority: 2)),
        TerminalKit.ListColumn("back", desk.words.background, width: .fixed(14, priority: 1)),
        TerminalKit.ListColumn("look", desk.words.emphasis, width: Share(minimum: 8, weight: 1)),
      ], source: rows)
    list.onSelect = { [unowned self] in self.model.moveCursor(to: $0) }
    list.onOpen = { [unowned self] _ in ask(isBackground: false) }
    following = desk.stage.follow { [unowned self] in noticed() }
  }

  var title: String { words.appearance + (model.state.isDirty ? " *" : "") }

  private func noticed() {
    let state = model.state
    Task { @UI [weak self] in self?.follow(state) }
  }

  private func follow(_ state: AppearanceState) {
    if state.isClosed {
      guard following != nil else { return }
      following = nil
      stage.close(self)
      stage.palette = PaletteNames.palette(of: state.saved)
      return
    }
    let palette = PaletteNames.palette(of: state.edited)
    if stage.palette != palette { stage.palette = palette }
    if let refused = state.refused { desk.say(words.noColour(refused), .warning) }
    if let failure = state.failure { desk.say(failure) }
    if state.asksToDiscard, !isAsking { askToDiscard() }
  }

  private func askToDiscard() {
    isAsking = true
    askToDiscard { [weak self] decision in
      guard let self else { return }
      isAsking = false
      model.keepEditing()
      switch decision {
      case .save: save()
      case .discard: model.discard()
      case .keepEditing: break
      }
    }
  }

  private func save() {
    Task { @UI [model] in await model.save() }
  }

  // MARK: Changing

  private func step(_ direction: Int, isBackground: Bool) {
    guard let entry = model.state.selected else { return }
    let steps = PaletteNames.steps
    let now = isBackground ? entry.background : entry.foreground
    let index = steps.firstIndex(of: now) ?? 0
    let next = steps[(index + direction + steps.count) % steps.count]
    if isBackground { model.setBackground(next) } else { model.setForeground(next) }
  }

  /// A colour by its name, its number or `#rrggbb`.
  private func ask(isBackground: Bool) {
    guard let entry = model.state.selected else { return }
    let now = isBackground ? entry.background : entry.foreground
    let prompt = Prompt(
      stage: stage, title: isBackground ? words.background : words.foreground,
      explanation: words.colourExplained, text: now ?? ""
    ) { [model] name in
      let colour = name.isEmpty ? nil : name
      if isBackground { model.setBackground(colour) } else { model.setForeground(colour) }
    }
    prompt.check = { [words] name in
      name.isEmpty || Colour(named: name) != nil ? nil : words.noColour(name)
    }
    prompt.completions = { typed in
      PaletteNames.steps.compactMap { $0 }.filter { $0.hasPrefix(typed) }
    }
    stage.push(prompt)
  }

  private func chooseBase() {
    let palettes = model.state.palettes
    let items = palettes.map { PickerItem(id: $0.name, title: $0.name) }
    stage.push(
      Picker(stage: stage, title: words.startFrom, items: items) { [model] item in
        if let found = palettes.first(where: { $0.name == item?.id }) { model.startFrom(found) }
      })
  }

  private func toggleEmphasis() {
    let entries = Attributes.names.enumerated().map { index, entry in
      Command("look." + entry.name, words.attribute(entry.name), keys: [String(index + 1)]) {
        [model] in model.toggleAttribute(entry.name)
      }
    }
    stage.push(Menu(stage: stage, title: words.emphasis, entries: entries))
  }

  var commands: [Command] {
    list.commands + [
      command("appearance.next") { $0.step(1, isBackground: false) },
      command("appearance.previous") { $0.step(-1, isBackground: false) },
      command("appearance.foreground") { $0.ask(isBackground: false) },
      command("appearance.background") { $0.ask(isBackground: true) },
      command("appearance.emphasis") { $0.toggleEmphasis() },
      command("appearance.revert") { $0.model.revertSelected() },
      command("appearance.base") { $0.chooseBase() },
      command(
        "appearance.undo", unless: { $0.model.state.canUndo ? nil : $0.words.nothingToUndo }
      ) { $0.model.undo() },
      command(
        "appearance.redo", unless: { $0.model.state.canRedo ? nil : $0.words.nothingToRedo }
      ) { $0.model.redo() },
      command("appearance.save") { $0.save() },
      command("appearance.cancel") { $0.model.cancel() },
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    let state = model.state
    rows.rows = state.edited.entries.map { entry in
      let inherited = ListCell(words.inherited, .dim)
      return TerminalKit.ListRow(
        [
          ListCell(entry.role), entry.foreground.map { ListCell($0) } ?? inherited,
          entry.background.map { ListCell($0) } ?? inherited,
          ListCell(entry.attributes.sorted().map { words.attribute($0) }.joined(separator: ", ")),
        ], badge: state.isChanged(entry.role) ? ListCell("*", .changed) : nil)
    }
    if list.selected != state.cursor { list.place(state.cursor) }
    var rest = area
    if area.columns >= 90 {
      let side = rest.takeColumns(-(area.columns / 3))
      grid.verticalLine(rest.takeColumns(-1))
      preview.draw(in: side.inset(columns: 1), words: words, on: &grid)
    } else if area.rows >= 16 {
      let below = rest.takeRows(-7)
      grid.horizontalLine(rest.takeRows(-1))
      preview.draw(in: below.inset(columns: 1), words: words, on: &grid)
    }
    list.draw(in: rest, on: &grid, isFocused: true)
  }
}

/// A few lines in which all that matters is seen.
@UI
struct PalettePreview {
  func draw(in area: Rect, words: Words, on grid: inout Grid) {
    var rest = area
    for group in [
      [Role.title, .heading, .text, .dim], [.key, .accent, .label, .placeholder],
      [.success, .warning, .error, .changed], [.inserted, .removed, .match, .symbol],
    ] {
      var line = StyledText()
      for role in group { line.append(role.name + " ", Style(role)) }
      grid.put(line, in: rest.takeRows(1))
    }
    for group in [
      [Surface.selection, .idleSelection, .marked, .bar],
      [.field, .focusedField, .button, .focusedButton, .dialog],
    ] {
      var line = StyledText()
      for surface in group { line.append(" \(surface.name) ", Style(.text, on: surface)) }
      grid.put(line, in: rest.takeRows(1))
    }
  }
}

extension Desk {
  /// Opens the colours; saving hands them to ``savePalette``.
  func openAppearance() {
    let save = savePalette
    let model = AppearanceViewModel(
      palette: PaletteNames.data(of: stage.palette),
      palettes: [PaletteNames.data(of: .dark), PaletteNames.data(of: .light)],
      isColour: { Colour(named: $0) != nil },
      store: { try await save(PaletteNames.palette(of: $0)) })
    stage.push(AppearanceScreen(desk: self, model: model))
  }
}
