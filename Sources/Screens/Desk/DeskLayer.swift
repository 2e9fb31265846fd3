// What the screens have in common. UI actor.

internal import TerminalKit
internal import UILoop
internal import Wording

/// A screen of the desk.
@UI
protocol DeskLayer: Layer {
  var desk: Desk { get }
  /// Whether the desk's commands are offered here too: not where letters mean something else.
  var offersDesk: Bool { get }
  /// Whether at least undo and redo are: where something is done that they take back.
  var offersUndo: Bool { get }
}

extension DeskLayer {
  var offersDesk: Bool { false }
  var offersUndo: Bool { false }
  var words: Words { desk.words }
  var stage: Stage { desk.stage }

  /// A command of the table that acts on this screen, as long as it lives.
  func command(
    _ id: String, unless whyNot: @escaping @UI @Sendable (Self) -> String? = { _ in nil },
    _ run: @escaping @UI @Sendable (Self) -> Void
  ) -> Command {
    desk.command(
      id, whyNot: { [weak self] in self.flatMap { whyNot($0) } },
      run: { [weak self] in if let self { run(self) } })
  }

  /// Asks what becomes of what was typed.
  func askToDiscard(_ decide: @escaping @UI (Discarding) -> Void) {
    stage.ask(
      words.discardQuestion, words.discardExplained,
      buttons: [
        .init(words.save, key: "s"), .init(words.discard, key: "d", isDangerous: true),
        .init(words.keepEditing, key: "k"),
      ]
    ) { answer in
      decide(answer == 0 ? .save : answer == 1 ? .discard : .keepEditing)
    }
  }

  /// The way back.
  var backCommand: Command { command("desk.back") { $0.stage.close($0) } }
}

/// What a person decides when a form is left with something typed in it.
enum Discarding {
  case save, discard, keepEditing
}
