// A record's items broken into lines of a width. Pure.

internal import TerminalKit

/// Lines for all items of a record.
struct RecordPage {
  private(set) var blocks: [[StyledText]] = []
  /// The first row of each item; at the end the number of all rows.
  private(set) var starts: [Int] = []

  var rows: Int { starts.last ?? 0 }

  init(items: [RecordItem], labelColumns: Int, columns: Int) {
    var row = 0
    for item in items {
      let block = Self.lines(of: item, labelColumns: labelColumns, columns: columns)
      starts.append(row)
      blocks.append(block)
      row += block.count
    }
    starts.append(row)
  }

  private static func lines(
    of item: RecordItem, labelColumns: Int, columns: Int
  ) -> [StyledText] {
    switch item.kind {
    case .heading: return [StyledText(), StyledText(item.label, Style(.heading))]
    case .note: return [StyledText(), StyledText(item.text, Style(item.role))]
    case .referrer: return [StyledText("  " + item.text, Style(item.role))]
    case .field: break
    }
    let label = TextWidth.pad(item.label, to: labelColumns) + "  "
    let room = max(4, columns - labelColumns - 2)
    var texts = Wrapping.lines(of: item.text, columns: room)
    let isLong = texts.count > 3
    if isLong { texts = Wrapping.lines(of: item.text, columns: max(4, columns - 2)) }
    var lines: [StyledText] = []
    if isLong {
      lines.append(StyledText(label, Style(.label)))
      lines += texts.map { StyledText("  " + $0, Style(item.role)) }
    } else {
      let indent = String(repeating: " ", count: labelColumns + 2)
      for (index, text) in texts.enumerated() {
        var line = StyledText(index == 0 ? label : indent, Style(.label))
        line.append(text, Style(item.role))
        lines.append(line)
      }
    }
    if let remark = item.remark {
      let indent = String(repeating: " ", count: isLong ? 2 : labelColumns + 2)
      for text in Wrapping.lines(of: remark, columns: isLong ? columns - 2 : room) {
        lines.append(StyledText(indent + text, Style(item.remarkRole)))
      }
    }
    return lines
  }
}
