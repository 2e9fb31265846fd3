// Which library a command works on, and how a command gets it.

internal import ArgumentParser
internal import Glibc
internal import ModelFile
internal import RecordStore
internal import Records

/// `--library PATH`, else `SKYROS_LIBRARY`, else the default library.
struct LibraryOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The library's folder; else SKYROS_LIBRARY; else the default library.", valueName: "path"),
    completion: .directory)
  var library: String?

  /// Where the library is, made absolute: the program may be told to go elsewhere later.
  var path: String { absolute(library ?? environment("SKYROS_LIBRARY") ?? Places.defaultLibrary) }

  /// Opens the library.
  ///
  /// Only the default one is made when it is missing: a name that a person gave and that leads
  /// nowhere is a mistake to be told.
  func open() async throws -> Library {
    let isDefault = library == nil && environment("SKYROS_LIBRARY") == nil
    do {
      return try await Library.open(at: path, surroundings: .system)
    } catch StoreError.missing where isDefault {
      return try await Library.create(
        at: path, model: Template.standard.model(), surroundings: .system)
    }
  }
}

/// `--json`.
struct FormatOption: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false
}

/// A command on one library.
protocol LibraryCommand: AsyncParsableCommand {
  var place: LibraryOption { get }
  func run(in library: Library, to output: Output) async throws
}

extension LibraryCommand {
  mutating func run() async throws {
    let library = try await place.open()
    let output = Output()
    do {
      try await run(in: library, to: output)
    } catch {
      // What was printed before the failure is data that somebody may use.
      if !error.isReaderGone { try output.flush() }
      try await library.close()
      throw error
    }
    try output.flush()
    try await library.close()
  }
}

/// The path from the root; a path that is absolute already as it is.
func absolute(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}
