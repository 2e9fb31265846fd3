// What lists have in common that a person walks through and marks: the cursor and the marks stay with
// what they are on when the list is read anew. Values only.

/// Items, a cursor, and marks.
package protocol MarkedList {
  associatedtype Item: Identifiable

  var items: [Item] { get }
  var cursor: Int { get set }
  var marks: Set<Item.ID> { get set }
}

extension MarkedList {
  /// The item under the cursor.
  package var selected: Item? { items.indices.contains(cursor) ? items[cursor] : nil }

  /// What an intention would take: the marked items, or the one under the cursor.
  package var targets: [Item] {
    let marked = items.filter { marks.contains($0.id) }
    return marked.isEmpty ? selected.map { [$0] } ?? [] : marked
  }

  mutating func moveCursor(to index: Int) { cursor = max(0, min(index, items.count - 1)) }

  /// Marks the item under the cursor, or takes its mark away.
  mutating func toggleMark() {
    if let selected { marks.formSymmetricDifference([selected.id]) }
  }

  /// Marks all, or none where all are marked.
  mutating func toggleAllMarks() {
    let all = Set(items.map(\.id))
    marks = marks == all ? [] : all
  }

  /// Puts cursor and marks right after the items were read anew.
  ///
  /// - Parameter id: What the cursor was on.
  mutating func settle(on id: Item.ID?) {
    marks.formIntersection(items.map(\.id))
    moveCursor(to: items.firstIndex { $0.id == id } ?? cursor)
  }
}
