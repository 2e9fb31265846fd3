// Palettes of the terminal as the neutral data of the view model, and back. Pure.

internal import TerminalKit
internal import ViewModels

/// Names of roles and surfaces in palette data.
enum PaletteNames {
  /// What stands before a surface's name: `on selection`.
  private static let surfacePrefix = "on "

  static func data(of palette: Palette) -> PaletteData {
    let roles = Role.allCases.map { entry($0.name, palette.roles[$0] ?? Look()) }
    let surfaces = Surface.allCases.map {
      entry(surfacePrefix + $0.name, palette.surfaces[$0] ?? Look())
    }
    return PaletteData(name: palette.name, entries: roles + surfaces)
  }

  private static func entry(_ name: String, _ look: Look) -> PaletteEntry {
    PaletteEntry(
      role: name, foreground: look.foreground?.name, background: look.background?.name,
      attributes: Set(
        Attributes.names.filter { look.attributes.contains($0.attribute) }.map(\.name)))
  }

  /// What is no name of ours is left out.
  static func palette(of data: PaletteData) -> Palette {
    var palette = Palette(name: data.name, roles: [:], surfaces: [:])
    for entry in data.entries {
      let look = look(of: entry)
      if entry.role.hasPrefix(surfacePrefix) {
        let name = String(entry.role.dropFirst(surfacePrefix.count))
        if let surface = Surface(name: name) { palette.surfaces[surface] = look }
      } else if let role = Role(name: entry.role) {
        palette.roles[role] = look
      }
    }
    return palette
  }

  static func style(of name: String) -> Style {
    if name.hasPrefix(surfacePrefix),
      let surface = Surface(name: String(name.dropFirst(surfacePrefix.count)))
    {
      return Style(.text, on: surface)
    }
    return Style(Role(name: name) ?? .text)
  }

  private static func look(of entry: PaletteEntry) -> Look {
    var attributes: Attributes = []
    for (name, attribute) in Attributes.names where entry.attributes.contains(name) {
      attributes.formUnion(attribute)
    }
    return Look(
      entry.foreground.flatMap { Colour(named: $0) },
      on: entry.background.flatMap { Colour(named: $0) }, attributes)
  }

  /// What left and right step through: nothing, the terminal's own, the sixteen named ones.
  static let steps: [String?] =
    [nil, "default"] + (0..<16).map { Colour.indexed(UInt8($0)).name }
}
