// What a changed model would do to a library, before it does it.

internal import GRDB
package import Records

/// The forecast of a migration.
package struct MigrationForecast: Sendable, Hashable {
  package let changes: [ModelChange]
  /// Values that people would lose sight of, or that the new type of a field can't hold.
  ///
  /// They stay in the file and in history; a migration refuses them unless it is told to go on.
  package let losses: [MigrationLoss]
  /// Records that are written anew.
  package let records: Int
  /// Records that are read, for a new index or search table.
  package let scanned: Int

  package var isEmpty: Bool { changes.isEmpty }

  /// About how long it takes, on a machine of two cores: 30 µs for a record that is written with its
  /// history, 4 µs for one that is indexed (both measured by the benchmark program's kind of machine).
  package var duration: Duration { .microseconds(records * 30 + scanned * 4) }
}

/// What a migration did.
package struct MigrationResult: Sendable, Hashable {
  package let forecast: MigrationForecast
  /// Nothing where there was nothing to do.
  package let transaction: Int64?
  /// The library as it was before.
  package let backup: String?
}

extension Library {
  /// What a changed model would do.
  ///
  /// - Throws: ``StoreError/unusableName(_:)`` for a name that SQLite can't hold.
  package func forecast(_ model: Model) async throws -> MigrationForecast {
    try await forecast(model, over: self.model)
  }

  func forecast(_ model: Model, over known: Model) async throws -> MigrationForecast {
    try await read {
      try Forecast(from: known, to: model.keeping(known), reading: $0).forecast()
    }
  }
}

/// Counts what a migration touches, on one snapshot.
struct Forecast {
  let old: Model
  let new: Model
  let reading: Reading
  let diff: ModelDiff

  init(from old: Model, to new: Model, reading: Reading) {
    self.old = old
    self.new = new
    self.reading = reading
    diff = ModelDiff(from: old, to: new)
  }

  func forecast() throws -> MigrationForecast {
    var losses: [MigrationLoss] = []
    var records = 0
    var scanned = 0
    try new.checkNames()
    for type in diff.settledAnew { records += try living(type) }
    for change in diff.changes {
      switch change {
      case .dropType(let type):
        let count = try living(type)
        if count > 0 { losses.append(MigrationLoss(type: type, field: nil, records: count)) }
      case .dropField(let type, let field):
        let count = try filled(type, field)
        if count > 0 { losses.append(MigrationLoss(type: type, field: field, records: count)) }
      case .replaceField(let type, let source, let target):
        let result = try conversion(type, source, target)
        records += result.converted
        if result.lost > 0 {
          losses.append(MigrationLoss(type: type, field: source, records: result.lost))
        }
      case .changeIndex(let type, _), .changeSearch(let type, _), .changeKey(let type, _, _):
        scanned += try living(type)
      case .addType, .reviveType, .renameType, .rearrangeType, .addField, .reviveField,
        .renameField, .changeMerge, .changeChoices, .changeConstraints, .relabelField:
        break
      }
    }
    return MigrationForecast(
      changes: diff.changes, losses: losses, records: records, scanned: scanned)
  }

  private func living(_ type: TypeID) throws -> Int {
    try Int.fetchOne(
      reading.db, sql: "SELECT living FROM _count WHERE type = ?", arguments: [type.name]) ?? 0
  }

  private func filled(_ type: TypeID, _ field: FieldID) throws -> Int {
    guard let type = old.type(type), let declared = type.field(field) else { return 0 }
    let sql =
      TypeSchema.hasColumn(declared)
      ? "SELECT count(*) FROM \(TypeSchema(type).table) WHERE \(TypeSchema.quoted(field.name)) IS NOT NULL"
      : "SELECT count(DISTINCT source) FROM _link WHERE type = '\(type.id)' AND field = '\(field)'"
    return try Int.fetchOne(reading.db, sql: sql) ?? 0
  }

  private func conversion(
    _ type: TypeID, _ source: FieldID, _ target: FieldID
  ) throws -> (converted: Int, lost: Int) {
    guard let before = old.type(type), let from = before.field(source),
      let to = new.type(type)?.field(target)
    else { return (0, 0) }
    var result = (converted: 0, lost: 0)
    try Conversion.forEach(of: before, from, in: reading) { _, value in
      if value.converted(from: from.type, to: to.type) == nil {
        result.lost += 1
      } else {
        result.converted += 1
      }
    }
    return result
  }
}
