// References that a deletion took out of other records (the rule `nullify`), put back when what they
// pointed to comes out of the trash. Lives in one transaction.

internal import GRDB
internal import Records

struct RestoredReferences {
  private let door: WriteDoor
  /// Changes that are looked at at once.
  private static let pageRows = 1000

  init(_ door: WriteDoor) { self.door = door }

  /// Puts the references to records back where nobody has put another one since.
  func bringBack(_ targets: [RecordReference]) throws {
    var deleted: [Int64: Set<RecordReference>] = [:]
    for target in targets {
      let number = try Int64.fetchOne(
        door.db.cachedStatement(
          sql: """
            SELECT number FROM _change WHERE type = ? AND id = ? AND kind = 'delete'
            ORDER BY seq DESC LIMIT 1
            """),
        arguments: [target.type.name, ColumnCodec.stored(target.id)])
      if let number { deleted[number, default: []].insert(target) }
    }
    for (number, targets) in deleted.sorted(by: { $0.key < $1.key }) {
      try bringBack(targets, deletedBy: number)
    }
  }

  private func bringBack(_ targets: Set<RecordReference>, deletedBy number: Int64) throws {
    var seq: Int64 = 0
    while true {
      let changes = try Row.fetchAll(
        door.db.cachedStatement(
          sql: """
            SELECT seq, type, id, before FROM _change
            WHERE number = ? AND seq > ? AND kind = 'update' ORDER BY seq LIMIT \(Self.pageRows)
            """),
        arguments: [number, seq])
      for change in changes {
        guard let id = ColumnCodec.recordID(change[2]) else { continue }
        try bringBack(
          targets, into: RecordReference(type: TypeID(trusted: change[1]), id: id),
          as: try BeforeCodec.fields(Blob.bytes(change[3])))
      }
      guard let last = changes.last else { return }
      seq = last[0]
    }
  }

  private func bringBack(
    _ targets: Set<RecordReference>, into referrer: RecordReference, as before: [FieldID: Value]
  ) throws {
    let type = try door.reading.type(referrer.type)
    guard let record = try door.reading.record(type, referrer.id), !record.isDeleted else { return }
    var writes: [FieldID: Value] = [:]
    for (id, value) in before {
      guard let field = type.field(id), let target = field.type.target else { continue }
      let now = record.shown[id] ?? .empty
      let lost = value.targets.filter {
        targets.contains(RecordReference(type: target, id: $0)) && !now.targets.contains($0)
      }
      guard !lost.isEmpty else { continue }
      switch value {
      case .reference where now.isEmpty: writes[id] = value
      case .references: writes[id] = .references(sorted: now.targets + lost)
      default: break
      }
    }
    if !writes.isEmpty { try door.write(writes, to: type, id: referrer.id, previous: record) }
  }
}
