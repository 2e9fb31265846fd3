// Colours as settings name them, and what is left of them on terminals with fewer. Pure.

/// A colour of the terminal.
package enum Colour: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// 0–7 normal, 8–15 bright, 16–255 xterm's cube and greys.
  case indexed(UInt8)

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  /// `default`, `red`, `bright-red`, `208`.
  package var name: String {
    switch self {
    case .standard: return "default"
    case .indexed(let index) where index < 8: return Self.names[Int(index)]
    case .indexed(let index) where index < 16: return "bright-" + Self.names[Int(index) - 8]
    case .indexed(let index): return String(index)
    }
  }

  /// The colour of that name, number, or `#rrggbb` (the nearest of 256).
  ///
  /// Nil when it is none.
  package init?(named name: String) {
    let name = name.lowercased()
    if name == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: name) {
      self = .indexed(UInt8(index))
    } else if name.hasPrefix("bright-"),
      let index = Self.names.firstIndex(of: String(name.dropFirst(7)))
    {
      self = .indexed(UInt8(index + 8))
    } else if let number = UInt8(name) {
      self = .indexed(number)
    } else if name.hasPrefix("#"), name.count == 7, let value = Int(name.dropFirst(), radix: 16) {
      self = .indexed(Self.nearest(value >> 16 & 255, value >> 8 & 255, value & 255))
    } else {
      return nil
    }
  }

  /// What a terminal with that many colours shows: itself, the nearest, or nothing of its own.
  package func reduced(to count: Int) -> Colour {
    guard case .indexed(let index) = self else { return self }
    if count < 8 { return .standard }
    if Int(index) < count { return self }
    if index < 16 { return .indexed(index - 8) }
    let (red, green, blue) = Self.components(index)
    let near = (0..<min(16, count)).min {
      Self.distance($0, red, green, blue) < Self.distance($1, red, green, blue)
    }
    return .indexed(UInt8(near ?? 0))
  }

  /// Whether it is neither near black nor near white, and no hue either.
  var isMiddleGrey: Bool {
    guard case .indexed(let index) = self else { return false }
    return index == 8 || (236...250).contains(index)
  }

  private static let levels = [0, 95, 135, 175, 215, 255]
  private static let basics: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205),
    (0, 205, 205), (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  /// Red, green, blue of xterm's default table.
  private static func components(_ index: UInt8) -> (Int, Int, Int) {
    if index < 16 { return basics[Int(index)] }
    if index >= 232 {
      let grey = 8 + 10 * (Int(index) - 232)
      return (grey, grey, grey)
    }
    let cube = Int(index) - 16
    return (levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }

  private static func distance(_ index: Int, _ red: Int, _ green: Int, _ blue: Int) -> Int {
    let other = components(UInt8(index))
    return (other.0 - red) * (other.0 - red) + (other.1 - green) * (other.1 - green)
      + (other.2 - blue) * (other.2 - blue)
  }

  private static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    // Not the first sixteen: every terminal has its own idea of those.
    let found = (16..<256).min {
      distance($0, red, green, blue) < distance($1, red, green, blue)
    }
    return UInt8(found ?? 16)
  }
}
