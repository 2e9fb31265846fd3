internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

/// `skyros history [TYPE ID]`: the transactions, newest first.
struct HistoryCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was changed, when and by whom, newest first.",
    discussion: """
      With TYPE and ID only what happened to that record. Of a transaction of many records the \
      first \(HistoryCommand.recordsMax) are shown, all of them with --all; recordCount says how many it has.
      """)

  /// Records shown of a transaction: an import of a million has a million.
  static let recordsMax = 100
  private static let pageSize = 200

  @Argument(help: "The record's type.") var type: String?
  @Argument(help: "The record's id.") var id: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("No more than this many transactions.", valueName: "n"))
  var limit: Int?
  @Flag(help: "Show all records of a transaction, however many.") var all = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if type != nil && id == nil { throw ValidationError("Give TYPE and ID, or neither") }
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 up") }
  }

  func run(in library: Library, to output: Output) async throws {
    var pages = HistoryPrinter(model: library.model, format: format, output: output)
    if let typeName = type, let id {
      let type = try library.model.requireType(typeName)
      let record = try type.requireID(id)
      let entries = try await library.history(
        of: RecordReference(type: type.id, id: record))
      if entries.isEmpty { throw Failure.unknownRecord(id, type: type.name) }
      for entry in entries.prefix(limit ?? .max) { try pages.add(entry, changes: entry.changes) }
      return try pages.finish()
    }
    var before: Int64?
    var rest = limit ?? .max
    while rest > 0 {
      let page = try await library.history(limit: min(rest, Self.pageSize), before: before)
      for entry in page {
        try pages.add(entry, changes: try await changes(of: entry, in: library))
      }
      rest -= page.count
      before = page.last?.number
      if page.count < Self.pageSize { break }
    }
    try pages.finish()
  }

  /// The changes to be shown of a transaction: those that came with it, or more.
  private func changes(
    of entry: TransactionEntry, in library: Library
  ) async throws -> [RecordChange] {
    var changes = entry.changes
    let wanted = all ? entry.recordCount : min(entry.recordCount, Self.recordsMax)
    guard format.json else { return changes }
    while changes.count < wanted {
      let more = try await library.changes(
        of: entry.number, offset: changes.count, limit: min(wanted - changes.count, 1000))
      if more.isEmpty { break }
      changes += more
    }
    return changes
  }
}

/// Prints transactions as they come.
private struct HistoryPrinter {
  let model: Model
  let format: FormatOption
  let output: Output
  private var table = Self.emptyTable

  private static var emptyTable: TextTable {
    let names = Words.system.table
    return TextTable(
      headers: [
        names.transaction, names.at, names.author, names.origin, names.records, names.what,
      ], numeric: [0, 4])
  }

  init(model: Model, format: FormatOption, output: Output) {
    self.model = model
    self.format = format
    self.output = output
  }

  mutating func add(_ entry: TransactionEntry, changes: [RecordChange]) throws {
    if format.json { return try output.element(.transaction(entry, changes, in: model)) }
    let row = [
      String(entry.number), TimestampText.local(entry.at, in: .system), entry.author,
      entry.origin.rawValue,
      String(entry.recordCount), summary(of: entry, changes),
    ]
    try table.add(row, to: output)
  }

  mutating func finish() throws {
    if format.json { try output.endArray() } else { try table.finish(to: output) }
  }

  private func summary(of entry: TransactionEntry, _ changes: [RecordChange]) -> String {
    let words = changes.prefix(3).map { change in
      let type = model.type(change.record.type)
      let fields = change.fields.keys.sorted().map { type?.name(of: $0) ?? $0.name }
      let what = change.kind == .update ? fields.joined(separator: ", ") : change.kind.rawValue
      return "\(change.title): \(what)"
    }
    var text = words.joined(separator: "; ")
    if entry.recordCount > words.count { text += text.isEmpty ? "…" : "; …" }
    if let undoes = entry.undoes { text += " (undoes \(undoes))" }
    if let undoneBy = entry.undoneBy { text += " (undone by \(undoneBy))" }
    return text
  }
}

extension JSON {
  /// `{"transaction","at","device","author","origin","records":[{"type","id","fields":{…}}]}`.
  static func transaction(
    _ entry: TransactionEntry, _ changes: [RecordChange], in model: Model
  ) -> JSON {
    [
      "transaction": .integer(entry.number),
      "at": .time(entry.at),
      "device": .string(entry.device.description),
      "deviceName": .string(entry.deviceName),
      "author": .string(entry.author),
      "origin": .string(entry.origin.rawValue),
      "note": .string(orNull: entry.note),
      "undoes": entry.undoes.map(JSON.integer) ?? .null,
      "undoneBy": entry.undoneBy.map(JSON.integer) ?? .null,
      "recordCount": .count(entry.recordCount),
      "records": .array(changes.map { .change($0, in: model) }),
    ]
  }

  private static func change(_ change: RecordChange, in model: Model) -> JSON {
    let type = model.type(change.record.type)
    let fields = change.fields.sorted { $0.key < $1.key }
    return [
      "type": .string(type?.name ?? change.record.type.name),
      "id": .string(change.record.id.description),
      "title": .string(change.title),
      "kind": .string(change.kind.rawValue),
      "fields": .object(
        fields.map { id, change in
          Member(
            type?.name(of: id) ?? id.name,
            ["before": .value(change.before), "after": .value(change.after)])
        }),
    ]
  }
}
