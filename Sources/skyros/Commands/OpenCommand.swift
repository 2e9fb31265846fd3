internal import ArgumentParser
internal import Glibc

/// `skyros [open]`: the interface.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the interface.")

  @OptionGroup var place: LibraryOption

  mutating func run() async throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure.needsTerminal
    }
    try await Interface.open(library: try await place.open())
  }
}
