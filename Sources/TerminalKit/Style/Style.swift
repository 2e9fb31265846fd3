// What a piece of text means, for the palette to give it a look. Pure values.

/// What a piece of text means.
///
/// Widgets name roles, never colours.
package enum Role: UInt8, CaseIterable, Sendable {
  case text, dim, title, heading, key, accent, success, warning, error, border, activeBorder
  case label, placeholder, match, changed, symbol
  case inserted, removed

  /// The name in the settings file and on the appearance screen.
  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}

/// What a piece of text lies on.
package enum Surface: UInt8, CaseIterable, Sendable {
  case page, selection, idleSelection, marked, bar, dialog, field, focusedField, button,
    focusedButton

  package var name: String { "\(self)" }

  package init?(name: String) {
    guard let surface = Surface.allCases.first(where: { $0.name == name }) else { return nil }
    self = surface
  }
}

/// Emphasis that does not need colour.
package struct Attributes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = Attributes(rawValue: 1)
  package static let dim = Attributes(rawValue: 2)
  package static let italic = Attributes(rawValue: 4)
  package static let underline = Attributes(rawValue: 8)
  package static let reverse = Attributes(rawValue: 16)

  /// Names in the order in which they are written.
  package static let names: [(name: String, attribute: Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse),
  ]
}

/// A role, the surface under it, and emphasis on top of what the palette says.
package struct Style: Hashable, Sendable {
  package var role: Role
  package var surface: Surface
  package var attributes: Attributes

  package init(_ role: Role = .text, on surface: Surface = .page, _ attributes: Attributes = []) {
    self.role = role
    self.surface = surface
    self.attributes = attributes
  }

  package func on(_ surface: Surface) -> Style { Style(role, on: surface, attributes) }
  package func with(_ more: Attributes) -> Style {
    Style(role, on: surface, attributes.union(more))
  }

  package static let text = Style(.text)
  package static let dim = Style(.dim)
  package static let title = Style(.title)
  package static let border = Style(.border)
  package static let error = Style(.error)
}

/// Text in several styles, one after the other on one line.
package struct StyledText: Equatable, Sendable, ExpressibleByStringLiteral {
  package struct Run: Equatable, Sendable {
    package var text: String
    package var style: Style
  }

  package private(set) var runs: [Run] = []

  package init() {}

  package init(_ text: String, _ style: Style = .text) {
    append(text, style)
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }

  package mutating func append(_ text: String, _ style: Style = .text) {
    if !text.isEmpty { runs.append(Run(text: text, style: style)) }
  }

  package mutating func append(_ other: StyledText) {
    runs += other.runs
  }

  package var isEmpty: Bool { runs.isEmpty }
  package var text: String { runs.map(\.text).joined() }
  package var columns: Int { runs.reduce(0) { $0 + TextWidth.columns($1.text) } }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.append(right)
    return sum
  }

  package func on(_ surface: Surface) -> StyledText {
    var copy = self
    for index in copy.runs.indices { copy.runs[index].style.surface = surface }
    return copy
  }
}

extension StyledText {
  /// The text cut at its line ends.
  package var hardLines: [StyledText] {
    var lines = [StyledText()]
    for run in runs {
      for (index, piece) in run.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { lines.append(StyledText()) }
        lines[lines.count - 1].append(String(piece), run.style)
      }
    }
    return lines
  }
}
