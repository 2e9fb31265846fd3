// The command tree. Each command has a file of its own in Commands.

internal import ArgumentParser

/// `skyros`: alone it opens the interface.
struct Skyros: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skyros",
    abstract: "Keeps records in a terminal.",
    discussion: """
      Alone it opens the interface on the default library. The library: --library PATH, before or \
      after the subcommand, or SKYROS_LIBRARY.

      Exit status: 0 done; 1 failed; 2 usage, bad filter, unknown type or field, bad value; \
      3 unknown id; 4 conflict, nothing written; 5 sync failed.
      """,
    version: "1.0.0",
    subcommands: [OpenCommand.self, DemoCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Libraries:",
        subcommands: [
          NewCommand.self, ModelCommand.self, TypesCommand.self, BackupCommand.self,
          RestoreBackupCommand.self,
          DoctorCommand.self,
        ]),
      CommandGroup(
        name: "Records:",
        subcommands: [
          ListCommand.self, ShowCommand.self, AddCommand.self, SetCommand.self,
          DeleteCommand.self, RestoreCommand.self, PurgeCommand.self, TrashCommand.self,
          ImportCommand.self, ExportCommand.self, HistoryCommand.self, UndoCommand.self,
          ConflictsCommand.self,
          ResolveCommand.self,
        ]),
      CommandGroup(
        name: "Sync:",
        subcommands: [SyncCommand.self, StatusCommand.self, EventsCommand.self]),
      CommandGroup(name: "Shell:", subcommands: [CompletionsCommand.self]),
    ],
    defaultSubcommand: OpenCommand.self)

  // Here so that it is understood before the subcommand; the subcommand's own group of the same type
  // takes over what was read here.
  @OptionGroup var place: LibraryOption

  /// The first word that names a subcommand but is none.
  ///
  /// The parser would hand it to the default subcommand and call it an unexpected argument.
  static func unknownSubcommand(in words: [String]) -> String? {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--library" {
        _ = rest.popFirst()
      } else if word.hasPrefix("-") {
        if !word.hasPrefix("--library=") { return nil }
      } else if word == "help" {
        return unknownTopic(in: rest)
      } else {
        return isSubcommand(word) ? nil : word
      }
    }
    return nil
  }

  /// The first word after `help` that names no command of the one before it.
  private static func unknownTopic(in words: ArraySlice<String>) -> String? {
    var commands = configuration.subcommands
    for word in words where !word.hasPrefix("-") && word != "help" {
      guard let command = commands.first(where: { $0._commandName == word }) else { return word }
      commands = command.configuration.subcommands
    }
    return nil
  }

  private static func isSubcommand(_ word: String) -> Bool {
    configuration.subcommands.contains { $0._commandName == word }
  }
}
