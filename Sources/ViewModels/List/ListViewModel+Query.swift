// What a list shows: search as one types, the filter, the order, the columns. The newest query
// wins; until its rows are here, those of the one before stay.

internal import RecordStore
package import Records
internal import UILoop

extension ListViewModel {
  /// The narrowest column that still shows something.
  nonisolated package static let columnWidthMin = 3
  nonisolated package static let columnWidthMax = 200

  /// Searches as one types: called with the whole text at each key.
  ///
  /// The cursor goes to the first match, and back to its record when the text is cleared.
  package func search(_ text: String) {
    guard text != state.searchText else { return }
    state.searchText = text
    layout.searchText = text
    requery(keepsCursor: text.isEmpty)
  }

  package func clearSearch() { search("") }

  /// Takes a filter as it stands.
  ///
  /// A text that is no filter leaves the list as it was, and the mistake is shown.
  package func filter(_ text: String) { filter(text, isTyping: false) }

  /// The filter as one types it.
  ///
  /// A text that is no filter yet, or whose last word may become one, leaves the list as it was: it
  /// does not go empty and full again on the way to the next condition.
  package func typeFilter(_ text: String) { filter(text, isTyping: true) }

  private func filter(_ text: String, isTyping: Bool) {
    state.filterText = text
    layout.filterText = text
    let before = filter
    readFilter(isTyping: isTyping)
    if filter != before { requery(keepsCursor: filter == nil) }
  }

  func readFilter(isTyping: Bool = false) {
    do {
      let isBlank = state.filterText.allSatisfy(\.isWhitespace)
      let read = isBlank ? nil : try Filter.read(state.filterText, for: state.type, in: time())
      state.mistake = nil
      let end = isTyping ? HalfTyped(state.filterText, for: state.type) : .nothing
      filter = end == .condition ? settledFilter : read
      if end == .nothing { settledFilter = read }
    } catch {
      state.mistake = error
      filter = settledFilter
    }
  }

  // MARK: Order

  /// Sorts by a column: ascending, then descending, then in the type's own order again.
  package func sort(by field: FieldID) {
    switch layout.sort.first(where: { $0.field == field }) {
    case .none: layout.sort = [SortKey(field: field)]
    case .some(let key) where !key.descending:
      layout.sort = [SortKey(field: field, descending: true)]
    case .some: layout.sort = []
    }
    showColumns()
    requery()
  }

  /// Groups the list by a field, or not at all.
  package func section(by field: FieldID?) {
    layout.sections = field
    requery()
  }

  // MARK: Columns

  package func setColumns(_ fields: [FieldID]) {
    layout.columns = fields.filter { state.type.field($0) != nil }
    showColumns()
    requery()
  }

  /// Shows a field as the last column, or takes it away; the last one stays.
  package func toggleColumn(_ field: FieldID) {
    var fields = state.columns.map(\.field.id)
    if let index = fields.firstIndex(of: field) {
      guard fields.count > 1 else { return }
      fields.remove(at: index)
    } else {
      fields.append(field)
    }
    setColumns(fields)
  }

  /// Moves a column, to the right by a positive number of places.
  package func moveColumn(_ field: FieldID, by places: Int) {
    var fields = state.columns.map(\.field.id)
    guard let from = fields.firstIndex(of: field) else { return }
    let to = max(0, min(from + places, fields.count - 1))
    fields.insert(fields.remove(at: from), at: to)
    setColumns(fields)
  }

  /// Makes a column wider or narrower by some cells.
  ///
  /// - Parameter shown: Its width on the screen now, for a column that had none of its own.
  package func resizeColumn(_ field: FieldID, by cells: Int, from shown: Int) {
    let width = (layout.widths[field] ?? shown) + cells
    layout.widths[field] = max(Self.columnWidthMin, min(width, Self.columnWidthMax))
    showColumns()
  }

  /// Goes back to the type's own columns and widths.
  package func resetColumns() {
    layout.columns = []
    layout.widths = [:]
    showColumns()
    requery()
  }

  func showColumns() {
    let type = state.type
    let own = type.list.isEmpty ? type.visibleFields.prefix(6).map(\.id) : type.list
    let chosen = layout.columns.isEmpty ? own : layout.columns
    let sort = layout.sort.isEmpty ? type.sort : layout.sort
    state.sort = sort
    state.columns = chosen.compactMap { id in
      guard let field = type.field(id), !field.hidden else { return nil }
      let key = sort.first { $0.field == id }
      return ChosenColumn(
        field: field, width: layout.widths[id],
        sort: key.map { $0.descending ? .descending : .ascending })
    }
  }
}
