// One event in full: what it was, what it moved, why it failed, the records concerned, and the key
// that helps. UI actor.

internal import RecordStore
internal import Records
internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

@UI
final class EventScreen: DeskLayer {
  let desk: Desk
  private let event: SyncEvent
  private let affected: [WaitingRecord]
  private let viewer = TextViewer()
  private var showsRaw = false

  init(desk: Desk, event: SyncEvent, affected: [WaitingRecord]) {
    self.desk = desk
    self.event = event
    self.affected = affected
    refresh()
  }

  var title: String { words.eventTitle(event.id) }

  private func refresh() { viewer.lines = lines }

  private var lines: [StyledText] {
    let texts = MonitorTexts(words: words, values: desk.values)
    let (glyph, role) = SyncLook.glyph(of: event.outcome)
    var lines = [
      StyledText(
        "\(glyph) \(SyncWords.phase(event.phase.rawValue, in: words)) "
          + SyncWords.outcome(event.outcome.rawValue, in: words), Style(role)),
      pair(words.when, texts.clock(event.startedAt)),
      pair(words.took, texts.took(event)),
      pair(words.trigger, SyncWords.trigger(event.trigger.rawValue, in: words)),
    ]
    let moved = texts.counts(event.counts)
    if !moved.isEmpty { lines.append(pair(words.moved, moved)) }
    if event.counts.bytes > 0 {
      lines.append(pair(words.volume, desk.values.size(Int64(event.counts.bytes))))
    }
    if let error = event.error {
      let said = SyncWords.cause(error, in: words)
      lines += [StyledText(), StyledText(said.sentence, Style(.error))]
      if let remedy = said.remedy { lines.append(StyledText(remedy)) }
      lines.append(StyledText(words.enterHelps(SyncRemedy(cause: error)), Style(.accent)))
    }
    if showsRaw {
      lines += [StyledText(), StyledText(words.rawReason, Style(.heading))]
      lines.append(StyledText(event.error ?? "–"))
      lines += (event.detail ?? words.noRawReason).split(whereSeparator: \.isNewline)
        .map { StyledText(String($0)) }
    }
    if !affected.isEmpty {
      lines += [StyledText(), StyledText(words.affected, Style(.heading))]
      lines += affected.map { StyledText("\($0.type)  \($0.title)") }
    }
    return lines
  }

  private func pair(_ label: String, _ text: String) -> StyledText {
    StyledText(TextWidth.pad(label, to: 10), Style(.label)) + StyledText(text)
  }

  var commands: [Command] {
    viewer.commands + [
      command("event.remedy", unless: { $0.event.error == nil ? $0.words.nothingToRemedy : nil }) {
        screen in
        guard let error = screen.event.error else { return }
        screen.stage.close(screen)
        screen.desk.perform(SyncRemedy(cause: error))
      },
      command("event.raw") { screen in
        screen.showsRaw.toggle()
        screen.refresh()
        screen.stage.invalidate()
      },
      command("event.copy") { screen in
        screen.desk.copy(EventLogText.line(of: screen.event), screen.title)
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { viewer.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    viewer.draw(in: area.inset(columns: 1), on: &grid, isFocused: true)
  }
}
