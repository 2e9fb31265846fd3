// What a list asks for, and the rows that it shows. Values only.

package import Records

/// A list: which records, in which order, and which of their fields.
package struct ListQuery: Sendable, Hashable {
  package var type: TypeID
  package var filter: Filter?
  /// Words to find, as a person types them; two characters of Japanese are a word too.
  package var search: String
  /// Empty: the type's own order.
  package var sort: [SortKey]
  /// Empty: the type's own columns.
  package var columns: [FieldID]
  /// Groups the rows by the values of a field, before they are sorted.
  package var sections: FieldID?

  package init(
    type: TypeID, filter: Filter? = nil, search: String = "", sort: [SortKey] = [],
    columns: [FieldID] = [], sections: FieldID? = nil
  ) {
    self.type = type
    self.filter = filter
    self.search = search
    self.sort = sort
    self.columns = columns
    self.sections = sections
  }
}

/// One row of a list.
package struct ListRow: Sendable, Hashable, Identifiable {
  package let id: RecordID
  package let title: String
  /// In the order of the query's columns.
  ///
  /// Long text is cut at ``textCharactersMax``.
  package let values: [Value]
  /// What the records are called that the values refer to; those that are gone are missing.
  package let referenceTitles: [RecordID: String]
  package let isPending: Bool
  package let hasConflict: Bool

  /// As much of a long text as any line of a list can show.
  package static let textCharactersMax = 500
}

/// Rows of one group of a list.
package struct ListSection: Sendable, Hashable {
  package let value: Value
  /// The position of its first row.
  package let start: Int
  package let count: Int
}

/// What a list is at one moment.
package struct ListState: Sendable, Hashable {
  /// Counts up with each change of the order.
  package var version: Int
  /// Exact once ``isComplete``; before that, the rows that are known to be there.
  package var count: Int
  /// Whether the whole order is known, and any row can be asked for.
  package var isComplete: Bool
  /// Whether the rows are the beginning of the order: while the order is read, they may be matches
  /// from anywhere in it.
  package var isBeginning = true
  package var isPinned: Bool
  /// Records that changed since the list was pinned.
  package var arrived: Int
  package var sections: [ListSection]
}

/// How a list changed by a commit: first `removed`, then `inserted` and the ends of `moved`.
package struct ListDiff: Sendable, Hashable {
  /// Old positions, descending.
  package var removed: [Int] = []
  /// New positions, ascending.
  package var inserted: [Int] = []
  /// Old and new positions of rows whose place in the order changed.
  package var moved: [Move] = []
  /// New positions of rows whose content changed; those that moved are among them.
  package var updated: [Int] = []

  package struct Move: Sendable, Hashable {
    package let from: Int
    package let to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  package init() {}

  package var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
  }
}

/// What an observer of a list hears.
package enum ListUpdate: Sendable, Hashable {
  /// Anything may be elsewhere: ask again.
  case reset(ListState)
  case changed(ListDiff, ListState)
  /// Only for a pinned list: something changed that it does not show.
  case arrived(ListState)
}

/// Rows of a list as they were at one version.
package struct ListPage: Sendable, Hashable {
  package let version: Int
  package let start: Int
  /// Nothing for a row whose record was purged since.
  package let rows: [ListRow?]
}
