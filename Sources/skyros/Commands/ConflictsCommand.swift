internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

/// `skyros conflicts`: what writers disagree about, every side of it.
struct ConflictsCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "Show where edits from several devices disagree.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let values = ShownValues(time: .system)
    let names = Words.system.table
    var table = TextTable(
      headers: [
        names.conflict, names.type, names.title, names.field, names.shown, names.others,
      ])
    let devices = try await library.deviceNames()
    for found in try await library.conflicts() {
      if format.json {
        try output.element(
          .conflict(
            found.conflict, of: found.snapshot.id, type: found.type, devices: devices))
        continue
      }
      let sides = found.conflict.sides.map { values.text($0.value, of: found.field) }
      let name = ConflictName(record: found.snapshot.id, field: found.field?.name)
      try table.add(
        [
          name.text, found.type.name, found.title, found.field?.name ?? "",
          sides.first ?? "", sides.dropFirst().joined(separator: " | "),
        ], to: output)
    }
    if format.json { try output.endArray() } else { try table.finish(to: output) }
  }
}

/// `skyros resolve CONFLICT --take N|--value V`: settles a conflict, here and everywhere.
struct ResolveCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Settle a conflict.",
    discussion: """
      CONFLICT is an id that skyros conflicts shows. N counts its values from 0, the shown one \
      first. A conflict of delete against edit takes --value delete or --value keep as well.
      """)

  @Argument(help: "The conflict's id.") var conflict: String
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Take one of the values.", valueName: "n"))
  var take: Int?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Take a value of your own.", valueName: "value"))
  var value: String?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if (take == nil) == (value == nil) { throw ValidationError("Give --take or --value") }
  }

  func run(in library: Library, to output: Output) async throws {
    let all = try await library.conflicts()
    guard let found = all.first(where: { $0.name.text == conflict }) else {
      throw Failure.unknownConflict(conflict)
    }
    let result = try await library.resolve(
      found.type.id, found.snapshot.id, field: found.conflict.field,
      value: try await chosenValue(of: found, in: library))
    try output.outcome(of: result, asJSON: format.json)
  }

  private func chosenValue(
    of found: FoundConflict, in library: Library
  ) async throws -> ConflictValue {
    if let take {
      guard found.conflict.sides.indices.contains(take) else {
        throw Failure.usage(
          "The conflict has \(found.conflict.sides.count) values: --take counts them from 0.")
      }
      return found.conflict.sides[take].value
    }
    let text = value ?? ""
    if let field = found.field {
      let reader = FieldReader(library: library, time: .system)
      return .value(try await reader.value(ofArgument: text, for: field))
    }
    switch text {
    case "delete": return .delete
    case "keep": return .keep
    default:
      throw Failure.usage("This conflict takes --value delete or --value keep, not '\(text)'.")
    }
  }
}

/// A conflict and where it is.
struct FoundConflict {
  let conflict: Conflict
  let snapshot: Snapshot
  let type: RecordType
  let title: String

  /// Nothing for a deletion against an edit.
  var field: Field? { conflict.field.flatMap { type.field($0) } }
  var name: ConflictName { ConflictName(record: snapshot.id, field: field?.name) }
}

extension Library {
  /// More than a person settles; what is left shows when these are settled.
  private static var conflictedRecordsMax: Int { 10_000 }

  /// All conflicts of living records, in the order of their records.
  func conflicts() async throws -> [FoundConflict] {
    let records = try await conflictedRecords(limit: Self.conflictedRecordsMax)
    let titles = try await titles(records)
    var found: [FoundConflict] = []
    for record in records {
      guard let type = model.type(record.type),
        let snapshot = try await snapshot(record.type, record.id)
      else { continue }
      let title = titles[record] ?? ""
      found += snapshot.state.conflicts(in: type).map {
        FoundConflict(conflict: $0, snapshot: snapshot, type: type, title: title)
      }
    }
    return found
  }
}

extension ShownValues {
  fileprivate func text(_ value: ConflictValue, of field: Field?) -> String {
    switch value {
    case .delete: "delete"
    case .keep: "keep"
    case .value(let value): field.map { text(value, of: $0) } ?? ValueText.show(value, in: time)
    }
  }
}
