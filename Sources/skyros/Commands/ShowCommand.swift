internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros show TYPE ID`: one record, in the trash or not.
struct ShowCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one record.",
    discussion: """
      With --attachment the content of an attached file is written instead of the record: to the new \
      file of -o, or to standard output.
      """)

  @Argument(help: "The record's type.") var type: String
  @Argument(help: "The record's id.") var id: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Write what this field has attached.", valueName: "field"))
  var attachment: String?
  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp("The new file that the attachment is written to.", valueName: "path"))
  var file: String?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if file != nil && attachment == nil {
      throw ValidationError("-o goes with --attachment")
    }
  }

  func run(in library: Library, to output: Output) async throws {
    let type = try library.model.requireType(self.type)
    let snapshot = try await library.requireRecord(id, of: type)
    if let attachment {
      return try await write(attachment, of: snapshot, type, in: library, to: output)
    }
    let missing = library.missingContents(of: snapshot, type)
    if format.json {
      let syncs = try await library.syncSettings() != nil
      let names = type.visibleFields.filter { missing.contains($0.id) }.map(\.name)
      let more: JSON = names.isEmpty ? [:] : ["missing": .array(names.map(JSON.string))]
      return try output.line(JSON.record(snapshot, type: type, syncs: syncs).adding(more))
    }
    let titles = try await library.titles(in: snapshot, of: type)
    let page = RecordPage(
      snapshot, type: type, titles: titles, missing: missing, time: .system)
    for line in page.lines { try output.line(line) }
  }

  private func write(
    _ name: String, of snapshot: Snapshot, _ type: RecordType, in library: Library,
    to output: Output
  ) async throws {
    let field = try type.requireField(name)
    guard case .attachment(let content) = snapshot.value(of: field.id) else {
      throw Failure.noAttachment(field: field.name, id: id)
    }
    guard let file else {
      return try await library.readAttachment(content) { try output.write(Array($0)) }
    }
    try await library.saveAttachment(content, to: file)
    if format.json {
      try output.line([
        "outcome": .string("applied"), "path": .string(file), "bytes": .integer(content.size),
        "sha256": .string(content.hash),
      ])
    }
  }
}

extension Library {
  /// The record, in the trash or not.
  func requireRecord(_ id: String, of type: RecordType) async throws -> Snapshot {
    let record = try type.requireID(id)
    guard let snapshot = try await snapshot(type.id, record) else {
      throw Failure.unknownRecord(id, type: type.name)
    }
    return snapshot
  }

  /// The records, all there; the first unknown id is the failure.
  func requireRecords(_ ids: [String], of type: RecordType) async throws -> [Snapshot] {
    let records = try ids.map { id throws(Failure) in try type.requireID(id) }
    let found = try await snapshots(type.id, records)
    return try zip(ids, records).map { id, record in
      guard let snapshot = found[record] else {
        throw Failure.unknownRecord(id, type: type.name)
      }
      return snapshot
    }
  }

  /// The attachment fields whose content has not arrived here.
  func missingContents(of snapshot: Snapshot, _ type: RecordType) -> Set<FieldID> {
    Set(
      type.visibleFields.map(\.id).filter { field in
        guard case .attachment(let file) = snapshot.value(of: field) else { return false }
        return !hasContent(file.hash)
      })
  }

  /// What the records are called that this one refers to.
  func titles(
    in snapshot: Snapshot, of type: RecordType
  ) async throws -> [RecordID: String] {
    var references: [RecordReference] = []
    for field in type.visibleFields {
      guard let target = field.type.target else { continue }
      switch snapshot.value(of: field.id) {
      case .reference(let id): references.append(RecordReference(type: target, id: id))
      case .references(let ids):
        references += ids.map { RecordReference(type: target, id: $0) }
      default: break
      }
    }
    guard !references.isEmpty else { return [:] }
    let found = try await titles(references)
    return Dictionary(found.map { ($0.key.id, $0.value) }) { first, _ in first }
  }
}
