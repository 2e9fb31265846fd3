// Which of the three panes fit: three on a wide screen, two neighbours on a middling one, the focused
// one alone on a narrow one. Pure.

internal import TerminalKit

/// The panes of the browser, from left to right.
enum Pane: Int, CaseIterable, Sendable {
  case types, list, record

  var left: Pane? { Pane(rawValue: rawValue - 1) }
  var right: Pane? { Pane(rawValue: rawValue + 1) }
}

/// Where the panes are on a screen.
struct PaneFrame: Equatable {
  /// From this width on all three are shown.
  static let wide = 110
  /// From this width on two are.
  static let middling = 60
  private static let typesColumns = 20

  let whole: Rect
  private(set) var areas: [Pane: Rect] = [:]
  /// The columns between two panes.
  private(set) var lines: [Rect] = []

  /// - Parameters:
  ///   - pair: The left one of the two that a middling screen shows.
  ///   - isZoomed: The focused pane takes the whole screen.
  init(area: Rect, focus: Pane, pair: Pane, isZoomed: Bool) {
    whole = area
    if isZoomed || area.columns < Self.middling {
      areas = [focus: area]
    } else if area.columns >= Self.wide {
      var rest = area
      areas[.types] = rest.takeColumns(min(28, max(Self.typesColumns, area.columns / 8)))
      lines.append(rest.takeColumns(1))
      areas[.record] = rest.takeColumns(-(rest.columns * 2 / 5))
      lines.append(rest.takeColumns(-1))
      areas[.list] = rest
    } else {
      var rest = area
      let first = pair == .types ? Self.typesColumns : area.columns * 2 / 5
      areas[pair] = rest.takeColumns(first)
      lines.append(rest.takeColumns(1))
      areas[pair.right ?? .record] = rest
    }
  }

  func shows(_ pane: Pane) -> Bool { areas[pane] != nil }
}
