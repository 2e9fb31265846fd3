// A list's rows as the terminal shows them: cells, alignment, column widths that fit what is shown.
// UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels

/// The rows of a list's view model.
@UI
final class RecordRows: ListSource {
  /// A column takes no more than this unless a person widens it, or it is the title.
  private static let columnsMax = 32
  /// What a record is called is worth more than another column.
  private static let titleColumnsMin = 22

  private let desk: Desk
  let model: ListViewModel
  /// The widest cell seen so far, by field: widths that only grow don't jump while one scrolls.
  private var widest: [FieldID: Int] = [:]

  init(desk: Desk, model: ListViewModel) {
    self.desk = desk
    self.model = model
  }

  var sections: SectionRows { SectionRows(sections: model.state.sections) }
  var count: Int { model.state.count + model.state.sections.count }

  func row(_ index: Int) -> TerminalKit.ListRow? {
    switch sections.place(at: index) {
    case .record(let position): record(position)
    case .heading(let section): heading(model.state.sections[section])
    }
  }

  private func heading(_ section: ListSection) -> TerminalKit.ListRow {
    let text = desk.values.text(section.value, titles: model.state.sectionTitles)
    let name = text.isEmpty ? desk.words.noReference : text
    return .section("\(name)  \(section.count)")
  }

  /// Columns that are scrolled out to the left; the title always stays.
  private(set) var skipped = 0

  /// Scrolls by columns, as far as there are any.
  func scrollColumns(by columns: Int) {
    skipped = max(0, min(skipped + columns, model.state.columns.count - 2))
  }

  /// The columns that are not scrolled out, by their place in the list.
  private var places: [Int] {
    let columns = model.state.columns
    guard skipped > 0 else { return Array(columns.indices) }
    let title = columns.firstIndex { $0.field.id == model.state.type.title }
    let skipped = Set(columns.indices.filter { $0 != title }.prefix(skipped))
    return columns.indices.filter { !skipped.contains($0) }
  }

  private func record(_ index: Int) -> TerminalKit.ListRow? {
    guard let row = model.state.rows[index] else { return nil }
    let columns = model.state.columns
    // Rows of the query before may still have other columns.
    let cells = places.filter { $0 < row.values.count }.map { place -> ListCell in
      let (column, value) = (columns[place], row.values[place])
      let text = desk.values.line(value, titles: row.referenceTitles)
      let width = TextWidth.columns(text)
      if width > widest[column.field.id, default: 0] { widest[column.field.id] = width }
      return ListCell(text, Self.role(of: value))
    }
    return TerminalKit.ListRow(cells, badge: badge(of: row), isMarked: model.isMarked(row.id))
  }

  private static func role(of value: Value) -> Role {
    switch value {
    case .boolean(false): .dim
    case .reference, .references: .accent
    default: .text
    }
  }

  private func badge(of row: RecordStore.ListRow) -> ListCell? {
    if row.hasConflict { return ListCell("!", .warning) }
    if model.isMarked(row.id) { return ListCell("*", .accent) }
    let reference = RecordReference(type: model.state.type.id, id: row.id)
    switch desk.sync.state.badge(of: reference, isPending: row.isPending) {
    case .parked: return ListCell("▪", .warning)
    case .pending: return ListCell("↑", .dim)
    case nil: return nil
    }
  }

  /// The columns for the rows that are here now.
  func columns() -> [TerminalKit.ListColumn] {
    // Measured before they are drawn, so that the first frame is right.
    for index in model.state.rows.keys.sorted().prefix(60) { _ = record(index) }
    let state = model.state
    return places.map { position in
      let column = state.columns[position]
      let field = column.field
      let isTitle = field.id == state.type.title
      let title = field.title + (column.sort == nil ? "" : " ")
      let needed = max(widest[field.id] ?? 4, TextWidth.columns(title), 3)
      let wanted = min(needed, Self.columnsMax)
      let priority = isTitle ? 100 : 50 - position
      let share: Share =
        if let width = column.width {
          .fixed(width, priority: priority)
        } else if isTitle {
          Share(
            minimum: min(Self.titleColumnsMin, needed), maximum: max(needed, 8), weight: 3,
            priority: priority)
        } else if field.type.isText || field.type.target != nil || field.type == .tags {
          Share(
            minimum: min(max(6, min(10, TextWidth.columns(title))), wanted), maximum: wanted,
            weight: 1, priority: priority)
        } else {
          // A number that is cut off is a wrong number.
          .fixed(wanted, priority: priority)
        }
      return TerminalKit.ListColumn(
        field.id.name, field.title, alignment: field.type.isNumeric ? .trailing : .leading,
        width: share)
    }
  }
}
