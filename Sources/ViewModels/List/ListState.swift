// What a list shows, as values. No words, no widths but those that a person chose.

package import RecordStore
package import Records

/// The direction in which a column is sorted.
package enum SortDirection: Sendable, Hashable {
  case ascending, descending
}

/// One column of a list, as a person chose it.
package struct ChosenColumn: Sendable, Hashable, Identifiable {
  package let field: Field
  /// In cells of the terminal; nothing where the screen decides.
  package let width: Int?
  /// Nothing where the list is not sorted by it.
  package let sort: SortDirection?

  package var id: FieldID { field.id }
}

/// How a person arranged a list: what a saved view keeps.
package struct ListLayout: Sendable, Hashable {
  /// Empty: the type's own columns.
  package var columns: [FieldID] = []
  /// In cells; a field without an entry fits the screen.
  package var widths: [FieldID: Int] = [:]
  /// Empty: the type's own order.
  package var sort: [SortKey] = []
  package var filterText = ""
  package var searchText = ""
  package var sections: FieldID?

  package init() {}
}

/// The records that a person marked.
package enum Marks: Sendable, Hashable {
  case some(Set<RecordID>)
  /// All records that the query finds, also those that come later, but for a few.
  case allBut(Set<RecordID>)

  package static let none = Marks.some([])

  package func contains(_ id: RecordID) -> Bool {
    switch self {
    case .some(let ids): ids.contains(id)
    case .allBut(let ids): !ids.contains(id)
    }
  }

  package mutating func toggle(_ id: RecordID) {
    switch self {
    case .some(let ids): self = .some(ids.symmetricDifference([id]))
    case .allBut(let ids): self = .allBut(ids.symmetricDifference([id]))
    }
  }

  package mutating func insert(_ ids: some Sequence<RecordID>) {
    switch self {
    case .some(let old): self = .some(old.union(ids))
    case .allBut(let old): self = .allBut(old.subtracting(ids))
    }
  }

  package mutating func invert() {
    switch self {
    case .some(let ids): self = .allBut(ids)
    case .allBut(let ids): self = .some(ids)
    }
  }

  /// How many of `total` records are marked.
  package func count(of total: Int) -> Int {
    switch self {
    case .some(let ids): ids.count
    case .allBut(let ids): max(0, total - ids.count)
    }
  }
}

/// Where a list is.
package enum ListPhase: Sendable, Hashable {
  case opening
  case ready
  case failed(Failure)
}

/// What came of the last intention, until the next.
package enum ListNotice: Sendable, Hashable {
  /// Moved to the trash; the transaction can be undone.
  case deleted(count: Int, transaction: Int64?)
  case exported(count: Int, path: String)
  case failed(Failure)
  /// A filter or search finds too many to be edited in one form.
  case tooMany(count: Int, max: Int)
}

/// All that a list shows.
package struct ListViewState: Sendable, Hashable {
  package var type: RecordType
  package var phase = ListPhase.opening
  /// A newer query is on its way; the rows are those of the one before.
  package var isStale = false
  package var columns: [ChosenColumn] = []
  package var filterText = ""
  /// Why the filter's text is not a filter; the list is that of the last good one.
  package var mistake: FilterMistake?
  package var searchText = ""
  package var sort: [SortKey] = []
  package var count = 0
  /// Whether the count is exact and every row can be jumped to.
  package var isComplete = false
  package var sections: [ListSection] = []
  /// What the records are called that head sections.
  package var sectionTitles: [RecordID: String] = [:]
  /// The rows around the visible ones, by position; a missing one is still being read.
  package var rows: [Int: ListRow] = [:]
  /// The row under the cursor; 0 in an empty list.
  package var cursor = 0
  /// The record under the cursor, once its row is read.
  package var cursorID: RecordID?
  package var marks = Marks.none
  package var isPinned = false
  /// Changes since the list was pinned.
  package var arrived = 0
  package var notice: ListNotice?

  package func row(at position: Int) -> ListRow? { rows[position] }
  package var markedCount: Int { marks.count(of: count) }
}
