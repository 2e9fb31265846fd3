import ArgumentParser
import CloudKitWire
import Glibc
import RecordService

extension ServiceEnvironment: ExpressibleByArgument {}

/// Which store a command works on.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store, sqlite:PATH. (default: sqlite:~/.local/share/skyros/service.sqlite)")
  var store: String?

  /// The path of the file.
  func path() throws -> String {
    guard let store else { return Self.defaultFolder + "/service.sqlite" }
    guard store.hasPrefix("sqlite:"), store.utf8.count > 7 else {
      throw CommandFault.badStore(store)
    }
    return String(store.dropFirst(7))
  }

  func exists() throws -> Bool { access(try path(), F_OK) == 0 }

  /// - Parameter making: whether a store that is missing is made; a mistyped path is better told.
  func open(
    making: Bool, _ settings: ServiceSettings = ServiceSettings()
  ) async throws -> RecordService {
    let path = try path()
    guard try making || exists() else { throw CommandFault.noStore(path: path) }
    try makeFolder()
    do {
      return try await RecordService.open(path: path, settings: settings)
    } catch let fault as StorageFault {
      throw fault
    } catch let error where CommandWords.sentence(for: error) == nil {
      // SQLite's own reason, for a path that it can't open or a file that is no database.
      throw CommandFault.unreadable(path: path)
    }
  }

  /// Makes the folder of the default store; other paths are the operator's own.
  func makeFolder() throws {
    if store == nil { try Self.makeFolder(Self.defaultFolder) }
  }

  private static var defaultFolder: String {
    let home = getenv("HOME").map { String(cString: $0) } ?? "."
    let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? home + "/.local/share"
    return data + "/skyros"
  }

  /// Makes the folder and those that it is in.
  private static func makeFolder(_ path: String) throws {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      if part.isEmpty { continue }
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw StorageFault.system(errno) }
    }
  }
}

/// Whether to print for a program.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false
}

/// The options that every command takes.
struct CommonOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions
}

/// A container and environment.
struct PlaceOptions: ParsableArguments {
  static let containerHelp: ArgumentHelp = "The container id, like iCloud.org.example.notes."

  @Option(help: containerHelp)
  var container: String

  @Option(help: "development or production.")
  var environment: ServiceEnvironment = .production
}

/// Whose database is meant.
struct OwnerOptions: ParsableArguments {
  @Option(help: "The name of the user whose zones are meant.") var user: String
  @OptionGroup var place: PlaceOptions
}
