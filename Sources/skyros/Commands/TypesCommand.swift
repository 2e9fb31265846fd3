internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

/// `skyros types`: what the library keeps.
struct TypesCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "Show the record types, their fields and how many records.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let model = library.model
    let counts = try await library.counts()
    if format.json {
      let types = model.visibleTypes.map { JSON.type($0, in: model, count: counts[$0.id] ?? 0) }
      return try output.line(.array(types))
    }
    let names = Words.system.table
    var table = TextTable(headers: [names.type, names.records, names.fields], numeric: [1])
    for type in model.visibleTypes {
      let fields = type.visibleFields.map { "\($0.name):\($0.type.word)" }
      let row = [type.name, String(counts[type.id] ?? 0), fields.joined(separator: " ")]
      try table.add(row, to: output)
    }
    try table.finish(to: output)
  }
}

extension JSON {
  /// `{"type","title","fields":[{"name","type","label",…}],"count"}`.
  ///
  /// `title` is the field that a record is called by, `label` the wording for people.
  static func type(_ type: RecordType, in model: Model, count: Int) -> JSON {
    func name(_ id: FieldID) -> JSON { .string(orNull: type.field(id)?.name) }
    return [
      "type": .string(type.name),
      "label": .string(type.displayName),
      "title": type.title.map(name) ?? .null,
      "key": type.key.map(name) ?? .null,
      "list": .array(type.list.map(name)),
      "sort": .array(
        type.sort.map { key in
          .string((key.descending ? "-" : "") + (type.field(key.field)?.name ?? key.field.name))
        }),
      "fields": .array(type.visibleFields.map { .field($0, in: model) }),
      "count": .count(count),
    ]
  }

  private static func field(_ field: Field, in model: Model) -> JSON {
    var members = [
      Member("name", .string(field.name)),
      Member("type", .string(field.type.word)),
      Member("label", .string(field.title)),
      Member("merge", .string(field.merge.rawValue)),
      Member("required", .boolean(field.required)),
      Member("unique", .boolean(field.unique)),
      Member("search", .boolean(field.search)),
      Member("index", .boolean(field.index)),
    ]
    if case .choice(let choices) = field.type {
      members.append(Member("of", .array(choices.map(JSON.string))))
    }
    if let target = field.type.target {
      let name = model.type(target)?.name ?? target.name
      members.append(Member("to", .string(name)))
      members.append(Member("onDelete", .string(field.onDelete.rawValue)))
    }
    if !field.defaultValue.isEmpty {
      members.append(Member("default", .value(field.defaultValue)))
    }
    if let min = field.min { members.append(Member("min", .value(min))) }
    if let max = field.max { members.append(Member("max", .value(max))) }
    if let pattern = field.pattern {
      members.append(Member("pattern", .string(pattern)))
    }
    return .object(members)
  }
}
