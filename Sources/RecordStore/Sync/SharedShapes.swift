// The model between devices: the registers of each type, kept beside the model that they stand for.
// A model that came from elsewhere and its registers are taken over in one transaction: else a crash
// between them would make the one look like a change of the other.

internal import GRDB
package import Records

/// The registers of one type, and what the service is known to hold of them.
package struct SharedShape: Sendable, Hashable {
  package let type: TypeID
  package var state: RecordState
  /// The change tag of the service's copy; nothing: it is not known to hold one.
  package var tag: String?
  package var isPending: Bool

  package init(type: TypeID, state: RecordState, tag: String? = nil, isPending: Bool) {
    self.type = type
    self.state = state
    self.tag = tag
    self.isPending = isPending
  }
}

extension Library {
  /// The model that the library was made with: what nobody has decided yet.
  package func firstModel() async throws -> Model {
    try await read { reading in
      let yaml = try String.fetchOne(
        reading.db, sql: "SELECT yaml FROM _model ORDER BY version LIMIT 1")
      guard let yaml else { throw StoreError.damaged("no model") }
      return try ModelText.model(of: yaml)
    }
  }

  package func shapes() async throws -> [SharedShape] {
    try await read { reading in
      try Row.fetchAll(
        reading.db, sql: "SELECT type, state, tag, pending FROM _shape ORDER BY type"
      ).map { row in
        guard let bytes = Blob.bytes(row[1]) else { throw StoreError.damaged("a type's registers") }
        return SharedShape(
          type: TypeID(trusted: row[0]), state: try StateCodec.whole(reading: bytes), tag: row[2],
          isPending: row[3])
      }
    }
  }

  package func hasPendingShapes() async throws -> Bool {
    try await read { reading in
      try Bool.fetchOne(
        reading.db, sql: "SELECT EXISTS (SELECT 1 FROM _shape WHERE pending)") ?? false
    }
  }

  /// Keeps registers that say nothing new to this library's model.
  package func keep(_ shapes: [SharedShape]) async throws {
    guard !shapes.isEmpty else { return }
    try await keepingBooks { db in for shape in shapes { try Self.write(shape, db) } }
  }

  /// Clears exactly what was sent: registers that were written meanwhile stay pending.
  package func acknowledge(_ shape: SharedShape, tag: String?) async throws {
    let bytes = StateCodec.whole(shape.state)
    try await keepingBooks { db in
      try db.execute(
        sql: "UPDATE _shape SET tag = ?, pending = (state <> ?) WHERE type = ?",
        arguments: [tag, Blob.stored(bytes), shape.type.name])
    }
  }

  /// Makes a model that other devices wrote the library's own, with the registers behind it.
  ///
  /// Values are not converted: who changed the model did that, and his records say so. What goes
  /// out of sight is backed up first.
  ///
  /// - Throws: ``StoreError/modelChanged`` where somebody changed the model since `known`.
  package func adopt(
    _ model: Model, over known: Model, _ shapes: [SharedShape]
  ) async throws {
    let forecast = try await forecast(model)
    if !forecast.losses.isEmpty, path != nil {
      _ = try await backUp(to: try safetyPath(before: "migration"))
    }
    _ = try await transaction(TransactionHead(origin: .sync, note: "model")) { door in
      guard door.model == known else { throw StoreError.modelChanged }
      var migration = Migration(door, to: model.keeping(known), isShared: true)
      try migration.run()
      for shape in shapes { try Self.write(shape, door.db) }
    }
  }

  private static func write(_ shape: SharedShape, _ db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO _shape (type, state, tag, pending) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [
      shape.type.name, Blob.stored(StateCodec.whole(shape.state)), shape.tag, shape.isPending,
    ])
  }
}
