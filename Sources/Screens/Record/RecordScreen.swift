// A record on a screen of its own: where following a reference leads. UI actor.

internal import RecordStore
internal import TerminalKit
internal import UILoop

/// One record, over the screen it was opened from.
@UI
final class RecordScreen: DeskLayer {
  let desk: Desk
  let offersDesk = true
  let pane: RecordPane

  init(desk: Desk, reference: RecordReference) {
    self.desk = desk
    pane = RecordPane(desk: desk, reference: reference)
  }

  isolated deinit { pane.close() }

  var title: String { pane.title }
  var commands: [Command] { pane.commands + [leaveCommand, backCommand] }

  private var leaveCommand: Command { command("record.leave") { $0.stage.close($0) } }

  func handle(_ event: InputEvent) -> Bool { pane.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    pane.draw(in: area, on: &grid, isFocused: true)
  }
}
