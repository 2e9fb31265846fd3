// The door from the command line to the interface.

internal import RecordStore

/// The interface on a terminal.
enum Interface {
  /// Opens the interface, and returns when the person leaves it.
  static func open(library: Library) async throws {
    Program.complain("This build has no interface yet. There are subcommands: skyros --help")
    throw ExitStatus.failed
  }
}
