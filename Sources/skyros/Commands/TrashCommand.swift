internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

/// `skyros trash`: what is deleted and not purged yet.
struct TrashCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash", abstract: "Show the records in the trash, newest first.")

  private static let pageSize = 500

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let names = Words.system.table
    var table = TextTable(headers: [names.id, names.type, names.title, names.deleted])
    var offset = 0
    while true {
      let page = try await library.trash(limit: Self.pageSize, offset: offset)
      if format.json {
        for object in try await objects(of: page, in: library) { try output.element(object) }
      } else {
        for entry in page {
          let type = library.model.type(entry.record.type)?.name ?? entry.record.type.name
          let row = [
            entry.record.id.description, type, entry.title,
            TimestampText.local(entry.deleted, in: .system),
          ]
          try table.add(row, to: output)
        }
      }
      offset += page.count
      if page.count < Self.pageSize { break }
    }
    if format.json { try output.endArray() } else { try table.finish(to: output) }
  }

  /// The objects of `show`, with when they were deleted.
  private func objects(of page: [TrashEntry], in library: Library) async throws -> [JSON] {
    let syncs = try await library.syncSettings() != nil
    var snapshots: [RecordReference: Snapshot] = [:]
    for (type, entries) in Dictionary(grouping: page, by: \.record.type) {
      for (id, snapshot) in try await library.snapshots(type, entries.map(\.record.id)) {
        snapshots[RecordReference(type: type, id: id)] = snapshot
      }
    }
    return page.compactMap { entry in
      guard let snapshot = snapshots[entry.record], let type = library.model.type(entry.record.type)
      else { return nil }
      return JSON.record(snapshot, type: type, syncs: syncs).adding([
        "title": .string(entry.title), "deletedAt": .time(entry.deleted),
      ])
    }
  }
}
