// A record's items as a page of a width. Pure, but that the page remembers what it broke into lines.

internal import TerminalKit

/// The page of all items of a record, one block an item.
struct RecordPage {
  private let items: [RecordItem]
  private let labelColumns: Int
  private let columns: Int
  var text: TextPage

  /// - Parameter last: The page before this one: what it shows of the same items is taken over.
  init(items: [RecordItem], labelColumns: Int, columns: Int, last: RecordPage? = nil) {
    self.items = items
    self.labelColumns = labelColumns
    self.columns = columns
    let isAlike = last?.labelColumns == labelColumns && last?.columns == columns
    let known = isAlike ? last : nil
    text = TextPage(
      items.enumerated().map { index, item in
        if let known, known.items.indices.contains(index), known.items[index] == item {
          return known.text.blocks[index]
        }
        return Self.block(of: item, labelColumns: labelColumns, columns: columns)
      })
  }

  private static func block(
    of item: RecordItem, labelColumns: Int, columns: Int
  ) -> TextPage.Block {
    let style = Style(item.role)
    switch item.kind {
    case .heading: return .init([StyledText(), StyledText(item.label, Style(.heading))])
    case .note: return .init([StyledText(), StyledText(item.text, style)])
    case .referrer: return .init([StyledText("  " + item.text, style)])
    case .field: break
    }
    let label = TextWidth.pad(item.label, to: labelColumns) + "  "
    let room = max(4, columns - labelColumns - 2)
    guard let texts = fewRows(of: item.text, columns: room) else {
      return .init(
        [StyledText(label, Style(.label))],
        text: WrappedText(item.text, columns: max(4, columns - 2)), style: style, indent: 2,
        tail: remark(of: item, indent: 2, columns: columns - 2))
    }
    let indent = labelColumns + 2
    let lines = texts.enumerated().map { index, text in
      StyledText(index == 0 ? label : String(repeating: " ", count: indent), Style(.label))
        + StyledText(text, style)
    }
    return .init(lines + remark(of: item, indent: indent, columns: room))
  }

  /// More rows than these stand below their label.
  private static let rowsBesideLabelMax = 3

  /// The rows of a text that stands beside its label; nothing for a longer one.
  private static func fewRows(of text: String, columns: Int) -> [String]? {
    var rows: [String] = []
    var wrapped = WrappedText(text, columns: columns)
    for piece in 0..<wrapped.pieces {
      rows += wrapped.rows(of: piece)
      if rows.count > rowsBesideLabelMax { return nil }
    }
    return rows
  }

  private static func remark(of item: RecordItem, indent: Int, columns: Int) -> [StyledText] {
    guard let remark = item.remark else { return [] }
    return Wrapping.lines(of: remark, columns: columns).map {
      StyledText(String(repeating: " ", count: indent) + $0, Style(item.remarkRole))
    }
  }
}
