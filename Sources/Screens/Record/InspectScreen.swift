// What a text is made of, character by character: for what looks like something else than it is, or
// like nothing at all. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import Wording

/// The code points of a value, with their names.
@UI
final class InspectScreen: DeskLayer {
  /// More are not listed: whoever has to look at so many has a program for it.
  private static let scalarsMax = 5000

  let desk: Desk
  let title: String
  private let viewer: TextViewer

  init(desk: Desk, label: String, text: String) {
    self.desk = desk
    title = desk.words.inspecting(label)
    viewer = TextViewer(Self.lines(of: text, words: desk.words))
  }

  private static func lines(of text: String, words: Words) -> [StyledText] {
    let characters = text.count
    let scalars = text.unicodeScalars.count
    var lines = [
      StyledText(
        words.textSize(characters: characters, scalars: scalars, bytes: text.utf8.count), .dim),
      StyledText(),
    ]
    for scalar in text.unicodeScalars.prefix(scalarsMax) { lines.append(line(of: scalar)) }
    if scalars > scalarsMax { lines.append(StyledText(words.more, .dim)) }
    return lines
  }

  private static func line(of scalar: Unicode.Scalar) -> StyledText {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let name = scalar.properties.nameAlias ?? scalar.properties.name ?? ""
    var line = StyledText(TextWidth.pad(code, to: 10), Style(.label))
    // What is drawn for it in a list: a symbol where it has no shape of its own.
    line.append(TextWidth.pad(DisplayText.shown(String(scalar)), to: 4), Style(.text))
    line.append(name, Style(scalar.isSuspicious ? .warning : .dim))
    return line
  }

  var commands: [Command] { viewer.commands + [backCommand] }

  func handle(_ event: InputEvent) -> Bool { viewer.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    viewer.draw(in: area.inset(columns: 1), on: &grid, isFocused: true)
  }
}

extension Unicode.Scalar {
  /// Whether it acts on the text around it without being seen itself.
  fileprivate var isSuspicious: Bool {
    switch properties.generalCategory {
    case .control, .format, .privateUse, .unassigned, .surrogate: true
    default: properties.isDefaultIgnorableCodePoint || properties.isBidiControl
    }
  }
}
