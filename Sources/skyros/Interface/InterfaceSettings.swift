// What a person settled for the interface: config.yaml, which the person writes, and the palette, which
// the appearance screen writes. A line that can't be understood is told with its number; the others
// hold. Any thread.

internal import FoundationEssentials
internal import Glibc
internal import Screens
internal import TerminalKit
internal import Wording

/// Language, colours and keys of a person's own.
struct InterfaceSettings {
  private(set) var language: Words.Language?
  private(set) var palette: Palette?
  private(set) var keyMap = KeyMap()
  private(set) var mistakes: [SettingsMistake] = []

  /// Those of this process, read when they are first asked for.
  static let system = read()

  static var paletteFile: String { Places.configFolder + "/palette" }

  static func read() -> InterfaceSettings {
    var settings = InterfaceSettings()
    if let text = try? String(contentsOfFile: paletteFile, encoding: .utf8) {
      settings.palette = PaletteText.palette(of: text)
    }
    settings.takeFile()
    return settings
  }

  /// Keeps a palette for the next session.
  static func save(_ palette: Palette) throws {
    try FileManager.default.createDirectory(
      atPath: Places.configFolder, withIntermediateDirectories: true)
    try PaletteText.text(of: palette).write(
      toFile: paletteFile, atomically: true, encoding: .utf8)
  }

  // MARK: config.yaml

  /// A file that is not there is none; one that is there and can't be read is told.
  private mutating func takeFile() {
    let path = Places.configFile
    guard access(path, F_OK) == 0 else { return }
    do {
      take(try String(contentsOfFile: path, encoding: .utf8))
    } catch {
      mistakes.append(.unreadable(path: path))
    }
  }

  /// Reads the few lines of YAML that there can be.
  ///
  ///     language: ja
  ///     palette: light
  ///     keys:
  ///       records.edit: [e, C-e]
  mutating func take(_ text: String) {
    var isInKeys = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated() {
      let line = raw.prefix(while: { $0 != "#" })
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      guard let colon = line.lastIndex(of: ":") else {
        complain(index, .notASetting)
        continue
      }
      let name = Self.trimmed(line[..<colon])
      let value = Self.trimmed(line[line.index(after: colon)...])
      if line.first == " ", isInKeys {
        bind(name, value, line: index)
      } else {
        isInKeys = name == "keys"
        if !isInKeys { set(name, value, line: index) }
      }
    }
  }

  private mutating func set(_ name: String, _ value: String, line: Int) {
    switch name {
    case "language":
      language = Words.Language(rawValue: value)
      if language == nil { complain(line, .language) }
    case "palette":
      switch value {
      case "dark": palette = palette ?? .dark
      case "light": palette = palette ?? .light
      default: complain(line, .palette)
      }
    default: complain(line, .unknown(name))
    }
  }

  private mutating func bind(_ name: String, _ value: String, line: Int) {
    let known = CommandTable.all.contains { $0.id == name } || name.hasPrefix("list.")
    guard known || name.hasPrefix("stage.") else {
      return complain(line, .unknownCommand(name))
    }
    let names = value.drop { $0 == "[" }.prefix { $0 != "]" }.split(separator: ",")
      .map { Self.trimmed($0) }
    do {
      try keyMap.bind(name, to: names)
    } catch {
      if case .unknownKey(_, let key) = error { complain(line, .unknownKey(key)) }
    }
  }

  private mutating func complain(_ line: Int, _ kind: SettingsMistake.Kind) {
    mistakes.append(.line(line + 1, path: Places.configFile, kind))
  }

  fileprivate static func trimmed(_ text: some StringProtocol) -> String {
    let quoted = text.drop { $0.isWhitespace || $0 == "\"" }
    return String(quoted.reversed().drop { $0.isWhitespace || $0 == "\"" }.reversed())
  }
}

/// A palette as lines of text: `selection: bright-white on 24 bold`; `-` for what lies beneath.
enum PaletteText {
  static func text(of palette: Palette) -> String {
    var lines = ["name: " + palette.name]
    for role in Role.allCases { lines.append(line(role.name, palette.roles[role] ?? Look())) }
    for surface in Surface.allCases {
      lines.append(line("on " + surface.name, palette.surfaces[surface] ?? Look()))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ name: String, _ look: Look) -> String {
    var text = "\(name): \(look.foreground?.name ?? "-") on \(look.background?.name ?? "-")"
    for (name, attribute) in Attributes.names where look.attributes.contains(attribute) {
      text += " " + name
    }
    return text
  }

  /// Roles that the text does not name are as in the dark palette.
  static func palette(of text: String) -> Palette {
    var palette = Palette.dark
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = InterfaceSettings.trimmed(line[..<colon])
      let words = line[line.index(after: colon)...].split(separator: " ").map(String.init)
      if name == "name" {
        palette.name = words.joined(separator: " ")
      } else if name.hasPrefix("on "), let surface = Surface(name: String(name.dropFirst(3))) {
        palette.surfaces[surface] = look(words)
      } else if let role = Role(name: name) {
        palette.roles[role] = look(words)
      }
    }
    return palette
  }

  private static func look(_ words: [String]) -> Look {
    var attributes: Attributes = []
    for (name, attribute) in Attributes.names where words.contains(name) {
      attributes.formUnion(attribute)
    }
    let background = words.firstIndex(of: "on").flatMap { index in
      words.indices.contains(index + 1) ? Colour(named: words[index + 1]) : nil
    }
    return Look(words.first.flatMap { Colour(named: $0) }, on: background, attributes)
  }
}
