// The last messages of the status line, whole: one that went by or was too long is read here.
// UI actor.

package import UILoop

/// What the stage said lately, the newest first.
@UI
package final class MessageLog: Layer {
  private unowned let stage: Stage
  private let viewer = TextViewer()

  package init(stage: Stage) {
    self.stage = stage
    let now = stage.timers.now
    viewer.lines = stage.said.reversed().flatMap { said in
      [StyledText(stage.phrases.age(now - said.at), .dim), said.text.on(.page), StyledText()]
    }
  }

  package var title: String { stage.phrases.messages }

  package var commands: [Command] {
    viewer.commands + [
      Command(
        "messages.close", stage.phrases.close, keys: ["Esc", "q", "!", "F2"], prominence: 10,
        isPlumbing: true
      ) { [weak self] in
        guard let self else { return }
        self.stage.close(self)
      }
    ]
  }

  package func handle(_ event: InputEvent) -> Bool { viewer.handle(event) }

  package func draw(in area: Rect, on grid: inout Grid) {
    viewer.draw(in: area.inset(columns: 1), on: &grid, isFocused: true)
  }
}
