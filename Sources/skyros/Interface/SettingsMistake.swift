// What can't be understood in the settings file, as data; the sentences are in Wording.

internal import Wording

/// Something that does not hold, while the other settings do.
enum SettingsMistake: Hashable {
  case unreadable(path: String)
  case line(Int, path: String, Kind)

  enum Kind: Hashable {
    case notASetting
    case language
    case palette
    case unknown(String)
    case unknownCommand(String)
    case unknownKey(String)
  }

  func sentence(in words: Words) -> String {
    let settings = words.settings
    switch self {
    case .unreadable(let path): return settings.unreadable(path)
    case .line(let line, let path, let kind):
      let clause =
        switch kind {
        case .notASetting: settings.notASetting
        case .language: settings.language
        case .palette: settings.palette
        case .unknown(let name): settings.unknown(name)
        case .unknownCommand(let name): settings.unknownCommand(name)
        case .unknownKey(let name): settings.unknownKey(name)
        }
      return settings.mistake(in: path, line: line, clause)
    }
  }
}
