// A command as data: its name, its default keys, its words. What it does is the screen's. Pure.

package import Wording

/// One line of the table of commands.
package struct CommandEntry: Sendable {
  /// What a person rebinds: `records.edit`.
  package let id: String
  package let keys: [String]
  /// The key bar shows the higher ones first; 0 keeps it out.
  package let prominence: Int
  let title: Pair
  let help: Pair

  /// English and Japanese.
  struct Pair: Sendable {
    let english: String
    let japanese: String

    init(_ english: String, _ japanese: String) {
      self.english = english
      self.japanese = japanese
    }
  }

  init(_ id: String, _ keys: [String], _ prominence: Int, _ title: Pair, _ help: Pair) {
    self.id = id
    self.keys = keys
    self.prominence = prominence
    self.title = title
    self.help = help
  }

  /// A command that the key bar leaves out.
  init(_ id: String, _ keys: [String], _ title: Pair, _ help: Pair) {
    self.init(id, keys, 0, title, help)
  }

  package func title(in words: Words) -> String { words(title.english, title.japanese) }
  package func help(in words: Words) -> String { words(help.english, help.japanese) }
}

/// All commands of all screens: default keys and words in one place.
///
/// The key bar, the help page, the palette and the settings are made from it.
package enum CommandTable {
  package static let all: [CommandEntry] =
    desk + deskSync + browser + records + record + editor + places + tools + sync

  /// Those that change the library: refused where it is read-only.
  package static let writing: Set<String> = [
    "desk.undo", "desk.redo", "desk.import", "desk.syncNow", "records.edit", "records.add",
    "records.delete", "record.edit", "record.delete", "record.restore", "history.undo",
    "trash.restore", "trash.purge", "conflicts.takeShown", "compare.take", "compare.takeAll",
    "compare.edit", "compare.save", "model.add", "model.rename", "model.label", "model.retype",
    "model.rules", "model.drop", "model.up", "model.down", "model.apply", "sync.setUp", "sync.off",
    "sync.now", "sync.pause", "sync.retry", "sync.decide",
  ]

  private static let byID = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  package static func entry(_ id: String) -> CommandEntry {
    guard let entry = byID[id] else { preconditionFailure("no command is called \(id)") }
    return entry
  }
}
