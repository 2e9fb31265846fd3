import ArgumentParser
import CloudKitWire
import Glibc
import RecordService

extension ServiceEnvironment: ExpressibleByArgument {}

/// Which store a command works on.
struct StoreOptions: ParsableArguments {
  @Option(help: "The store, sqlite:PATH. (default: sqlite:~/.local/share/skyros/service.sqlite)")
  var store: String?

  /// The path of the file; its folder is made for the default one.
  func path() throws -> String {
    guard let store else { return try Self.defaultPath() }
    guard store.hasPrefix("sqlite:"), store.utf8.count > 7 else {
      throw CommandFault.badStore(store)
    }
    return String(store.dropFirst(7))
  }

  func open(_ settings: ServiceSettings = ServiceSettings()) async throws -> RecordService {
    let path = try path()
    do {
      return try await RecordService.open(path: path, settings: settings)
    } catch let fault as StorageFault {
      throw fault
    } catch let error where CommandWords.sentence(for: error) == nil {
      // SQLite's own reason, for a path that it can't open or a file that is no database.
      throw CommandFault.unreadable(path: path)
    }
  }

  private static func defaultPath() throws -> String {
    let home = getenv("HOME").map { String(cString: $0) } ?? "."
    let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? home + "/.local/share"
    var folder = ""
    for part in (data + "/skyros").split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      if part.isEmpty { continue }
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw StorageFault.system(errno) }
    }
    return folder + "service.sqlite"
  }
}

/// Whether to print for a program.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false
}

/// A container and environment.
struct PlaceOptions: ParsableArguments {
  @Option(help: "The container id, iCloud. and a reverse domain name.")
  var container: String

  @Option(help: "development or production.")
  var environment: ServiceEnvironment = .production
}

/// Whose database is meant.
struct OwnerOptions: ParsableArguments {
  @Option(help: "The name of the user whose zones are meant.") var user: String
  @OptionGroup var place: PlaceOptions
}
