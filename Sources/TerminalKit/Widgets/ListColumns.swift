// What a list shows: its columns and its rows. Pure values.

package import UILoop

/// A column of a list.
package struct ListColumn: Hashable, Sendable {
  package var id: String
  package var title: String
  package var alignment: Alignment
  /// How its width is found; ``Share/priority`` decides which column goes first on a narrow screen.
  package var width: Share

  package init(
    _ id: String, _ title: String, alignment: Alignment = .leading,
    width: Share = Share(minimum: 4, weight: 1)
  ) {
    self.id = id
    self.title = title
    self.alignment = alignment
    self.width = width
  }
}

/// One cell of a list, or a styled piece of it.
package struct ListCell: Equatable, Sendable, ExpressibleByStringLiteral {
  package var text: String
  package var role: Role

  package init(_ text: String, _ role: Role = .text) {
    self.text = text
    self.role = role
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }
}

/// One row of a list.
package struct ListRow: Equatable, Sendable {
  package enum Kind: Sendable {
    case entry
    /// A heading among the rows: the selection passes over it.
    case section
    /// The rest of the row above, whose text needs more than a line.
    case more
  }

  package var kind: Kind
  /// One for each column, in their order; missing ones are blank.
  package var cells: [ListCell]
  /// One narrow glyph before the row (conflict, unsent, …); empty for none.
  package var badge: ListCell?
  package var isMarked: Bool

  package init(_ cells: [ListCell], badge: ListCell? = nil, isMarked: Bool = false) {
    kind = .entry
    self.cells = cells
    self.badge = badge
    self.isMarked = isMarked
  }

  package static func more(_ cells: [ListCell]) -> ListRow {
    var row = ListRow(cells)
    row.kind = .more
    return row
  }

  package static func section(_ title: String) -> ListRow {
    var row = ListRow([ListCell(title, .heading)])
    row.kind = .section
    return row
  }
}

/// Where a list gets its rows from: only the visible ones are asked for.
@UI
package protocol ListSource: AnyObject {
  var count: Int { get }
  /// The row, or nil while it is being loaded: a placeholder is drawn, and the source redraws the
  /// stage when it has it.
  func row(_ index: Int) -> ListRow?
}

/// Rows that are all there.
@UI
package final class ListRows: ListSource {
  package var rows: [ListRow]

  package init(_ rows: [ListRow] = []) {
    self.rows = rows
  }

  package var count: Int { rows.count }
  package func row(_ index: Int) -> ListRow? { rows.indices.contains(index) ? rows[index] : nil }
}
