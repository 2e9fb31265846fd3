// A key as the program knows it, and its name in settings, help and key bars. Pure.

/// A key with its modifiers.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  package static let enter = Key(.enter)
  package static let escape = Key(.escape)
  package static let tab = Key(.tab)
  package static let backTab = Key(.tab, .shift)
  package static let up = Key(.up)
  package static let down = Key(.down)
  package static let left = Key(.left)
  package static let right = Key(.right)
  package static let space = Key(" ")

  /// The character that this key types, if it types one.
  package var typed: Character? {
    guard case .character(let character) = code, modifiers.isEmpty else { return nil }
    return character
  }
}

// MARK: Names

extension Key: CustomStringConvertible, ExpressibleByStringLiteral {
  private static let names: [(Code, String)] = [
    (.enter, "Enter"), (.tab, "Tab"), (.escape, "Esc"), (.backspace, "Backspace"),
    (.delete, "Del"), (.insert, "Ins"), (.up, "Up"), (.down, "Down"), (.left, "Left"),
    (.right, "Right"), (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"),
    (.character(" "), "Space"),
  ]

  /// The name: `a`, `C-s`, `A-Enter`, `S-Tab`, `Esc`, `PgDn`, `F1`.
  package var description: String {
    var prefix = ""
    if modifiers.contains(.control) { prefix += "C-" }
    if modifiers.contains(.alt) { prefix += "A-" }
    if modifiers.contains(.shift) { prefix += "S-" }
    if let name = Self.names.first(where: { $0.0 == code })?.1 { return prefix + name }
    switch code {
    case .character(let character): return prefix + String(character)
    case .function(let number): return prefix + "F\(number)"
    default: return prefix
    }
  }

  /// The key of that name; nil when there is none.
  package init?(named name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    while rest.count > 2, rest.dropFirst().first == "-" {
      switch rest.first {
      case "C": modifiers.insert(.control)
      case "A", "M": modifiers.insert(.alt)
      case "S": modifiers.insert(.shift)
      default: return nil
      }
      rest = rest.dropFirst(2)
    }
    if rest.count == 1, let character = rest.first {
      self.init(.character(character), modifiers)
    } else if let found = Self.names.first(where: { $0.1.lowercased() == rest.lowercased() }) {
      self.init(found.0, modifiers)
    } else if rest.first == "F", let number = Int(rest.dropFirst()), (1...24).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  /// For keys written in source: traps on a name that does not exist.
  package init(stringLiteral name: String) {
    guard let key = Key(named: name) else { preconditionFailure("no key is called \(name)") }
    self = key
  }

  /// Keys typed one after the other: `g g`, `C-x s`.
  ///
  /// Nil when one of them has no such name.
  package static func sequence(named name: String) -> [Key]? {
    let keys = name.split(separator: " ").map { Key(named: String($0)) }
    let found = keys.compactMap { $0 }
    return found.isEmpty || found.count < keys.count ? nil : found
  }
}
