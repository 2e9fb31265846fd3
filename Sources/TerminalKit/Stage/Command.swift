// What a person can do, as data: the key bar, the help page, the palette and the
// documentation are all made from these. UI actor.

internal import UILoop

/// One thing that can be done here and now.
///
/// Tables of commands are made anew whenever they are asked for, so that closures see the
/// present state; making one must be cheap.
package struct Command: Sendable {
  /// Its name in the settings, for keys of a person's own: `record.edit`.
  package var id: String
  /// What it is called in the key bar, the menu and the palette: one or two words.
  package var title: String
  /// One sentence for the help page.
  package var help: String
  /// The default keys, each a sequence by name: `e`, `C-s`, `g g`.
  package var keys: [String]
  /// The bar shows the higher ones first; 0 keeps it out of the bar.
  package var prominence: Int
  /// Whether the palette and the menus leave it out (moving the cursor, typing).
  package var isPlumbing: Bool
  /// Why it can't be done now, in words; nil when it can.
  package var whyNot: @UI @Sendable () -> String?
  package var run: @UI @Sendable () -> Void

  package init(
    _ id: String, _ title: String, help: String = "", keys: [String] = [], prominence: Int = 0,
    isPlumbing: Bool = false, whyNot: @escaping @UI @Sendable () -> String? = { nil },
    run: @escaping @UI @Sendable () -> Void
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.keys = keys
    self.prominence = prominence
    self.isPlumbing = isPlumbing
    self.whyNot = whyNot
    self.run = run
  }
}

/// Which keys start which command: the defaults of the commands, and a person's own on top.
package struct KeyMap: Sendable, Equatable {
  /// A mistake in a person's key settings, for the caller to report.
  package enum Mistake: Error, Equatable, Sendable {
    case unknownKey(command: String, name: String)
  }

  private var overrides: [String: [[Key]]] = [:]

  package init() {}

  /// Gives a command these keys instead of its own; none means that it has no key.
  package mutating func bind(_ command: String, to names: [String]) throws(Mistake) {
    var sequences: [[Key]] = []
    for name in names {
      guard let sequence = Key.sequence(named: name) else {
        throw Mistake.unknownKey(command: command, name: name)
      }
      sequences.append(sequence)
    }
    overrides[command] = sequences
  }

  /// The sequences that start the command, the first being the one to show.
  package func sequences(of command: Command) -> [[Key]] {
    overrides[command.id] ?? command.keys.compactMap(Key.sequence(named:))
  }

  /// The key to show for a command: `C-s`, `g g`; empty when it has none.
  ///
  /// - Parameter whileTyping: Letters go into a field: only other keys start commands.
  package func label(of command: Command, whileTyping: Bool = false) -> String {
    sequences(of: command).first { !whileTyping || $0.first?.typed == nil }
      .map { $0.map(\.description).joined(separator: " ") } ?? ""
  }

  package enum Match {
    case command(Command)
    /// The beginning of longer sequences: these commands could follow, with the rest of their keys.
    case prefix([(rest: [Key], command: Command)])
    case none
  }

  /// What those keys mean among the commands.
  ///
  /// A person's own key wins over a default, then the earlier command wins.
  package func match(_ typed: [Key], among commands: [Command]) -> Match {
    var exact: Command?
    var isExactOwn = false
    var longer: [(rest: [Key], command: Command)] = []
    for command in commands {
      let isOwn = overrides[command.id] != nil
      for sequence in sequences(of: command) where sequence.starts(with: typed) {
        if sequence.count > typed.count {
          longer.append((Array(sequence.dropFirst(typed.count)), command))
        } else if exact == nil || (isOwn && !isExactOwn) {
          exact = command
          isExactOwn = isOwn
        }
      }
    }
    if let exact { return .command(exact) }
    return longer.isEmpty ? .none : .prefix(longer)
  }
}
