// Where things lie when nobody says otherwise (XDG Base Directory Specification).

internal import Glibc

/// The standard places of this person's files.
enum Places {
  static var defaultLibrary: String { dataFolder + "/default.skyros" }
  static var configFile: String { configFolder + "/config.yaml" }

  static var dataFolder: String { folder("XDG_DATA_HOME", "/.local/share") + "/skyros" }
  static var configFolder: String { folder("XDG_CONFIG_HOME", "/.config") + "/skyros" }
  static var stateFolder: String { folder("XDG_STATE_HOME", "/.local/state") + "/skyros" }

  /// The variable counts only when it is set to an absolute path, as the specification says.
  private static func folder(_ variable: String, _ fallback: String) -> String {
    if let path = environment(variable), path.hasPrefix("/") { return path }
    return (environment("HOME") ?? homeOfAccount ?? "/") + fallback
  }

  private static var homeOfAccount: String? {
    guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return nil }
    return String(cString: path)
  }
}

/// An environment variable; nothing when it is not set or empty.
func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}
