// Picking a value by type-ahead: a choice, or a record of another type. Records are
// searched in the store as one types; the newest search wins. UI actor.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// One thing that can be picked.
package struct PickerChoice: Sendable, Hashable, Identifiable {
  package let value: Value
  /// What a person reads: a choice's word, a record's title; nothing for "no value".
  package let title: String?

  package var id: Value { value }
}

/// All that a picker shows.
package struct PickerState: Sendable, Hashable {
  package let field: Field
  package var query = ""
  package var choices: [PickerChoice] = []
  /// There are more than are shown: type on.
  package var hasMore = false
  package var isSearching = false
  package var cursor = 0
  /// Several can be picked; these are.
  package var picked: [RecordID] = []
  package var failure: Failure?

  package var selected: PickerChoice? {
    choices.indices.contains(cursor) ? choices[cursor] : nil
  }
  /// Whether several records can be picked.
  package var isMultiple: Bool { if case .references = field.type { true } else { false } }
}

/// What a person can do while picking a value for a field.
@UI @Observable
package final class PickerViewModel {
  /// The most records offered at once: nobody reads further, they type on.
  package static let choicesMax = 100

  package private(set) var state: PickerState

  @ObservationIgnored private let library: Library
  @ObservationIgnored private let current: Value
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var searches = Newest()

  /// - Parameter current: What stands in the field: the cursor starts there.
  ///
  /// Nothing for a field that is typed, not picked.
  package init?(library: Library, field: Field, current: Value) {
    switch field.type {
    case .choice, .reference, .references: break
    default: return nil
    }
    self.library = library
    self.current = current
    state = PickerState(field: field)
    if case .references(let ids) = current { state.picked = ids }
  }

  package func start() async {
    search("")
    await idle()
    if !current.isEmpty, let index = state.choices.firstIndex(where: { $0.value == current }) {
      state.cursor = index
    }
  }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  /// Offers what fits a text: called with the whole text at each key.
  package func search(_ text: String) {
    state.query = text
    switch state.field.type {
    case .choice(let words): offer(words.map { PickerChoice(value: .text($0), title: $0) })
    case .reference(let type), .references(let type): searchRecords(text, of: type)
    default: break
    }
  }

  /// The words that begin with the text first, then those that contain it.
  private func offer(_ all: [PickerChoice]) {
    let needle = state.query.lowercased()
    let titled = all.map { (choice: $0, title: ($0.title ?? "").lowercased()) }
    let first = titled.filter { $0.title.hasPrefix(needle) }
    let rest = titled.filter { !$0.title.hasPrefix(needle) && $0.title.contains(needle) }
    show((first + rest).map(\.choice), hasMore: false)
  }

  private func searchRecords(_ text: String, of type: TypeID) {
    let ticket = searches.ticket()
    state.isSearching = true
    errands.run { [weak self] in await self?.find(text, of: type, ticket: ticket) }
  }

  private func find(_ text: String, of type: TypeID, ticket: Int) async {
    guard searches.isCurrent(ticket) else { return }
    do {
      let rows = try await rows(text, of: type)
      guard searches.isCurrent(ticket) else { return }
      let records = rows.prefix(Self.choicesMax).map {
        PickerChoice(value: .reference($0.id), title: $0.title)
      }
      show(records, hasMore: rows.count > Self.choicesMax)
      state.failure = nil
    } catch {
      guard searches.isCurrent(ticket) else { return }
      state.failure = Failure(error)
    }
    state.isSearching = false
  }

  /// What the search finds; types without searched fields are asked for titles that contain it.
  private func rows(_ text: String, of type: TypeID) async throws -> [ListRow] {
    guard let definition = library.model.type(type) else { return [] }
    let words = text.trimmed
    var query = ListQuery(type: type)
    if let title = definition.title {
      query.sort = [SortKey(field: title)]
      query.columns = [title]
    }
    if let title = definition.title, let field = definition.field(title), field.type.isText,
      !field.search, !words.isEmpty
    {
      query.filter = .field(title, .contains(words))
    } else {
      query.search = words
    }
    return try await library.page(query, offset: 0, limit: Self.choicesMax + 1)
  }

  private func show(_ choices: [PickerChoice], hasMore: Bool) {
    let selected = state.selected?.value
    var all = choices
    // Without a text, "no value" can be picked, unless the field needs one.
    if state.query.isEmpty, !state.field.required, !state.isMultiple {
      all.append(PickerChoice(value: .empty, title: nil))
    }
    state.choices = all
    state.hasMore = hasMore
    state.cursor = state.query.isEmpty ? all.firstIndex { $0.value == selected } ?? 0 : 0
  }

  package func moveCursor(to position: Int) {
    state.cursor = max(0, min(position, state.choices.count - 1))
  }

  package func moveCursor(by rows: Int) { moveCursor(to: state.cursor + rows) }

  /// Picks or drops the record under the cursor, where several can be picked.
  package func togglePicked() {
    guard state.isMultiple, case .reference(let id)? = state.selected?.value else { return }
    if let index = state.picked.firstIndex(of: id) {
      state.picked.remove(at: index)
    } else {
      state.picked.append(id)
    }
  }

  /// The value that the person picked; nothing where nothing fits.
  package var answer: Value? {
    state.isMultiple ? .references(sorted: state.picked) : state.selected?.value
  }
}

extension String {
  /// Without the blanks around it.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
