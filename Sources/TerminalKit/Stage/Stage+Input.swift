// From bytes to commands: the parser and its time-out, the order in which a key is offered, key
// sequences, clicks on the key bar. UI actor.

internal import UILoop

extension Stage {
  /// Bytes that the terminal sent.
  ///
  /// Handles all events in them, then draws once.
  package func receive(_ bytes: some Sequence<UInt8>) {
    parserDeadline?.cancel()
    parserDeadline = nil
    dispatch(parser.take(bytes))
    guard let patience = parser.patience else { return }
    parserDeadline = timers.after(patience) { [weak self] in
      guard let self else { return }
      self.dispatch(self.parser.timeOut())
    }
  }

  /// Keys as if typed, by name, then one frame: for tests and for macros.
  package func type(_ keys: String...) {
    dispatch(keys.flatMap { name in (Key.sequence(named: name) ?? []).map(InputEvent.key) })
  }

  /// Handles events and draws once at the end.
  package func dispatch(_ events: [InputEvent]) {
    guard !events.isEmpty else { return }
    for event in events { handle(event) }
    drawNow()
  }

  /// The commands of the top layer, and those that work everywhere.
  package var availableCommands: [Command] {
    (top?.commands ?? []) + globalCommands() + ownCommands()
  }

  /// Runs a command, or says why it can't be done.
  package func perform(_ command: Command) {
    if let reason = command.whyNot() {
      say(reason, .warning)
      driver.ringBell()
    } else {
      command.run()
    }
  }

  // MARK: One event

  private func handle(_ event: InputEvent) {
    countEvent()
    switch event {
    case .key(let key):
      forgetMessage()
      handle(key)
    case .mouse(let mouse):
      if mouse.kind == .press, let hit = barAreas.first(where: { $0.area.contains(mouse.point) }) {
        forgetMessage()
        return perform(hit.command)
      }
      _ = top?.handle(event)
    case .paste(let paste):
      forgetMessage()
      _ = top?.handle(event)
      if paste.droppedBytes > 0 { say(phrases.pasteCut(paste.droppedBytes), .warning) }
    case .reply(let reply):
      onReply(reply)
    case .focus, .ignored:
      _ = top?.handle(event)
    }
  }

  /// More keys than this were not typed ahead by a person.
  private static let heldMax = 64

  /// Gives keys that were typed ahead to the layer, once it is ready for them.
  func giveHeldKeys() {
    guard !held.isEmpty, top?.isReady != false else { return }
    let keys = held
    held = []
    for key in keys { handle(key) }
  }

  private func handle(_ key: Key) {
    if key != .escape, top?.isReady == false {
      if held.count < Self.heldMax { held.append(key) }
      return
    }
    if prefix.isEmpty {
      if top?.handle(.key(key)) == true { return }
    } else if key == .escape {
      prefix = []
      return
    }
    let typed = prefix + [key]
    switch keyMap.match(typed, among: availableCommands) {
    case .command(let command):
      prefix = []
      perform(command)
    case .prefix:
      prefix = typed
    case .none:
      prefix = []
      sayNothingHappens(typed)
    }
  }

  /// A key that does nothing says so: silence looks like a program that hangs.
  func sayNothingHappens(_ typed: [Key]) {
    let interrupt = Key.sequence(named: "C-c")
    say(
      typed == interrupt
        ? phrases.interrupt
        : phrases.noSuchKey(typed.map(\.description).joined(separator: " ")), .warning)
  }

  // MARK: Commands of the stage itself

  private func ownCommands() -> [Command] {
    [
      Command(
        "stage.help", phrases.help, help: phrases.helpOfHelp, keys: ["?", "F1"], prominence: 9
      ) { [weak self] in
        guard let self else { return }
        self.push(HelpPage(stage: self))
      },
      Command(
        "stage.palette", phrases.commands, help: phrases.helpOfPalette, keys: [":", "C-p"],
        prominence: 1
      ) { [weak self] in
        guard let self else { return }
        self.push(CommandPalette(stage: self))
      },
      Command(
        "stage.messages", phrases.messages, help: phrases.helpOfMessages, keys: ["!", "F2"],
        whyNot: { [weak self] in self.flatMap { $0.said.isEmpty ? $0.phrases.noMessages : nil } }
      ) { [weak self] in
        guard let self else { return }
        self.push(MessageLog(stage: self))
      },
      Command("stage.suspend", phrases.suspend, help: phrases.helpOfSuspend, keys: ["C-z"]) {
        [weak self] in
        guard let self else { return }
        self.driver.suspendProgram()
        self.resize()
      },
      Command("stage.redraw", phrases.redraw, help: phrases.helpOfRedraw, keys: ["C-l"]) {
        [weak self] in
        self?.invalidateAll()
      },
    ]
  }
}
