// Named arrangements of lists, and how each type's list was arranged last: kept beside the library, so
// that they go where it goes. Values and their JSON; who writes the file is the program's business.

package import Records

/// A list as a person arranged and named it.
package struct SavedView: Sendable, Hashable {
  package var name: String
  package var type: TypeID
  package var layout: ListLayout

  package init(name: String, type: TypeID, layout: ListLayout) {
    self.name = name
    self.type = type
    self.layout = layout
  }
}

/// All that a person arranged in a library's lists.
package struct SavedViews: Sendable, Hashable {
  /// The most views of one library: what a person oversees.
  package static let viewsMax = 200
  package static let nameLengthMax = 60

  /// In the order in which they were made.
  package private(set) var views: [SavedView] = []
  /// Columns, widths, order and groups of each type's own list.
  package var layouts: [TypeID: ListLayout] = [:]
  /// The type that was looked at last.
  package var last: TypeID?

  package init() {}

  package func views(of type: TypeID) -> [SavedView] { views.filter { $0.type == type } }

  package func view(_ name: String, of type: TypeID) -> SavedView? {
    views.first { $0.name == name && $0.type == type }
  }

  /// Keeps a view in the place of the one of its name; answers whether there was room.
  @discardableResult
  package mutating func keep(_ view: SavedView) -> Bool {
    if let index = views.firstIndex(where: { $0.name == view.name && $0.type == view.type }) {
      views[index] = view
      return true
    }
    guard views.count < Self.viewsMax else { return false }
    views.append(view)
    return true
  }

  package mutating func drop(_ name: String, of type: TypeID) {
    views.removeAll { $0.name == name && $0.type == type }
  }
}

extension SavedViews {
  /// Reads what ``text`` writes; a part that does not read is left out, the rest holds.
  package init(text: String) {
    guard let json = try? JSON.read(text) else { return }
    for entry in json.elements("views") {
      guard let name = entry.text("name"), let type = entry.text("type").flatMap(TypeID.init)
      else { continue }
      keep(SavedView(name: name, type: type, layout: ListLayout(entry)))
    }
    last = json.text("last").flatMap(TypeID.init)
    for entry in json.elements("lists") {
      guard let type = entry.text("type").flatMap(TypeID.init) else { continue }
      layouts[type] = ListLayout(entry)
    }
  }

  /// JSON that a person can read too.
  package var text: String {
    let views = views.map { view in
      JSON.object(
        [JSON.Member("name", .string(view.name)), JSON.Member("type", .string(view.type.name))]
          + view.layout.members)
    }
    let lists = layouts.sorted { $0.key < $1.key }.map { type, layout in
      var layout = layout
      // What a type's own list was narrowed by is over with the session.
      layout.filterText = ""
      layout.searchText = ""
      return JSON.object([JSON.Member("type", .string(type.name))] + layout.members)
    }
    let json: JSON = [
      "views": .array(views), "lists": .array(lists),
      "last": last.map { .string($0.name) } ?? .null,
    ]
    return json.text + "\n"
  }
}

extension ListLayout {
  fileprivate var members: [JSON.Member] {
    let sort = sort.map { JSON.string(($0.descending ? "-" : "") + $0.field.name) }
    let widths = widths.sorted { $0.key < $1.key }
      .map { JSON.Member($0.key.name, .integer(Int64($0.value))) }
    return [
      JSON.Member("columns", .array(columns.map { .string($0.name) })),
      JSON.Member("widths", .object(widths)),
      JSON.Member("sort", .array(sort)),
      JSON.Member("where", .string(filterText)),
      JSON.Member("search", .string(searchText)),
      JSON.Member("group", sections.map { .string($0.name) } ?? .null),
    ]
  }

  fileprivate init(_ json: JSON) {
    self.init()
    columns = json.elements("columns").compactMap(\.fieldID)
    sort = json.elements("sort").compactMap { key in
      guard case .string(let text) = key else { return nil }
      let isDescending = text.hasPrefix("-")
      return FieldID(isDescending ? String(text.dropFirst()) : text)
        .map { SortKey(field: $0, descending: isDescending) }
    }
    if case .object(let members) = json["widths"] {
      for member in members {
        guard let field = FieldID(member.name), case .integer(let width) = member.value else {
          continue
        }
        widths[field] = max(
          ListViewModel.columnWidthMin,
          min(Int(clamping: width), ListViewModel.columnWidthMax))
      }
    }
    filterText = json.text("where") ?? ""
    searchText = json.text("search") ?? ""
    sections = json["group"].flatMap(\.fieldID)
  }
}

extension JSON {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  fileprivate func elements(_ name: String) -> [JSON] {
    if case .array(let elements) = self[name] { elements } else { [] }
  }

  fileprivate var fieldID: FieldID? {
    if case .string(let text) = self { FieldID(text) } else { nil }
  }
}
