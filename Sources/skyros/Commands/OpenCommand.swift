internal import ArgumentParser
internal import Glibc

/// `skyros [open]`: the interface.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the interface.")

  @OptionGroup var place: LibraryOption

  mutating func run() async throws { try await Self.open(place) }

  static func open(_ place: LibraryOption) async throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure.needsTerminal
    }
    try await Interface.open { try await place.open() }
  }

  /// The library of a usual start, `skyros [--library PATH] [open]`; nothing for all other words.
  ///
  /// The parser builds the tree of all commands before it looks at a word, which a person who only
  /// wants the first screen would wait for.
  static func usualStart(_ words: [String]) -> LibraryOption? {
    var place = LibraryOption()
    place.library = nil
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "open" where rest.isEmpty: return place
      case "--library" where place.library == nil:
        guard let path = rest.popFirst() else { return nil }
        place.library = path
      default: return nil
      }
    }
    return place
  }
}
