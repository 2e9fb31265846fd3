internal import ArgumentParser
internal import RecordStore
internal import Records
internal import ViewModels
internal import Wording

/// `skyros list TYPE`: the records that a filter and a search leave, sorted.
struct ListCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List records.",
    discussion: "A filter: country=JP population>1000000 name~port -visited or(a=1 b=2)")

  @Argument(help: "The type.") var type: String
  @OptionGroup var choice: QueryOptions
  @Option(
    parsing: .unconditional, help: ArgumentHelp("No more than this many.", valueName: "n"))
  var limit: Int?
  @Flag(help: "Print JSON, one object a line.") var ndjson = false
  @Flag(help: "Print CSV.") var csv = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if [format.json, ndjson, csv].filter(\.self).count > 1 {
      throw ValidationError("Only one of --json, --ndjson and --csv can be asked for")
    }
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 up") }
  }

  func run(in library: Library, to output: Output) async throws {
    let type = try library.model.requireType(self.type)
    let query = try choice.query(of: type, in: library)
    let syncs = try await library.syncSettings() != nil
    if csv {
      try output.write(FlatRow.header(of: type))
      try await library.forEachRow(query, limit: limit) {
        try output.write(FlatRow.line($0, of: type))
      }
    } else if ndjson {
      try await library.forEachRow(query, limit: limit) {
        try output.line(.record($0, type: type, syncs: syncs))
      }
    } else if format.json {
      try await library.forEachRow(query, limit: limit) {
        try output.element(.record($0, type: type, syncs: syncs))
      }
      try output.endArray()
    } else {
      try await printTable(query, of: type, in: library, to: output)
    }
  }

  private func printTable(
    _ query: ListQuery, of type: RecordType, in library: Library, to output: Output
  ) async throws {
    let columns = try choice.layout(of: type, in: library).columns
    let fields = (columns.isEmpty ? type.list : columns).compactMap { type.field($0) }
      .filter { !$0.hidden }
    let numeric = fields.indices.filter { fields[$0].type.isNumeric }.map { $0 + 1 }
    let table = TextTable(
      headers: [Words.system.table.id] + fields.map(\.title), numeric: Set(numeric))
    let rows = TableOutput(table, output)
    let values = ShownValues(time: .system)
    try await library.forEachRow(query, limit: limit, naming: fields) { snapshot, titles in
      let cells = fields.map { values.text(snapshot.value(of: $0.id), of: $0, titles: titles) }
      try rows.add([snapshot.id.description] + cells)
    }
    try rows.finish()
  }
}

/// What narrows and orders a list.
struct QueryOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Only what this filter leaves.", valueName: "filter"))
  var filter: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only records with these words.", valueName: "words"))
  var search: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Sort by a field, downwards with -field.", valueName: "field"))
  var sort: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "As this view that was saved in the interface; the options above take the place of its own.",
      valueName: "name"))
  var view: String?

  func query(of type: RecordType, in library: Library) throws -> ListQuery {
    let layout = try layout(of: type, in: library)
    var query = ListQuery(type: type.id)
    if let filter {
      query.filter = try type.filter(filter)
    } else if !layout.filterText.isEmpty {
      query.filter = try type.filter(layout.filterText)
    }
    query.search = search ?? layout.searchText
    query.sort = sort.isEmpty ? layout.sort : try type.sortKeys(sort)
    query.sections = layout.sections
    return query
  }

  /// The arrangement of the view; the type's own without one.
  func layout(of type: RecordType, in library: Library) throws -> ListLayout {
    guard let view else { return ListLayout() }
    let lists = library.path.map(ListsFile.read(in:)) ?? SavedViews()
    guard let found = lists.view(view, of: type.id) else {
      throw Failure.unknownView(
        view, type: type.name, known: lists.views(of: type.id).map(\.name))
    }
    return found.layout
  }
}
