// Importing a table: one transaction, one undo, whole or not at all (also when the process is killed).
// The file is read twice where a type has to be made of it, once to see its values and once to take
// them; memory stays flat.

internal import GRDB
internal import Records

extension Library {
  /// Imports a table.
  ///
  /// Cancelling the task ends it with `CancellationError`, and nothing is written.
  ///
  /// - Parameter progress: Called on the writer's queue, about every 1,000 rows.
  /// - Throws: ``ImportError``, ``StoreError``; nothing was written then.
  package func importTable(
    _ request: ImportRequest,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws -> ImportReport {
    let head = TransactionHead(origin: .importFile, note: fileName(request.path), undoes: nil)
    return try await untilCancelled { isCancelled in
      let source = try TableSource(request, isCancelled: isCancelled)
      do {
        let (report, number) = try await transaction(head) { door in
          let watch = ImportWatch(total: source.totalBytes, progress, isCancelled: isCancelled)
          let report = try door.withLargeCache { try door.importRows(request, source, watch) }
          if request.isDryRun { throw DryRun(report: report) }
          return report
        }
        var result = report
        result.transaction = number
        return result
      } catch let dryRun as DryRun {
        return dryRun.report
      }
    }
  }

  /// What an import would understand of a file; reads it, writes nothing.
  ///
  /// - Parameter rows: How many rows to show.
  package func previewImport(_ request: ImportRequest, rows: Int = 20) async throws -> ImportPreview
  {
    let model = model
    let source = try TableSource(request)
    let plan = try ImportPlan(request, source: source, model: model)
    var texts: [[String]] = []
    var isHeader = if case .csv = source.format { true } else { false }
    do {
      try source.forEachRow { row, _ in
        if isHeader {
          isHeader = false
          return
        }
        guard texts.count < rows else { throw EnoughRows() }
        switch row {
        case .cells(let cells): texts.append(plan.columns.indices.map { cells.text(at: $0) })
        case .members(let json):
          texts.append(
            plan.columns.map { name in
              json.members?.first { $0.name == name }.map { $0.value.cellText } ?? ""
            })
        }
      }
    } catch is EnoughRows {
      // The rest of the file was looked through for its values already.
    }
    return ImportPreview(
      encoding: source.encoding, format: source.format, columns: plan.columns, rows: texts,
      type: plan.type, isNewType: plan.isNewType, fields: plan.fields.map { $0?.id })
  }
}

private struct EnoughRows: Error {}

/// Takes everything back and hands the report out.
private struct DryRun: Error {
  let report: ImportReport
}

private func fileName(_ path: String) -> String {
  path.unicodeScalars.split(separator: "/").last.map(String.init) ?? path
}

/// Tells of the progress and looks whether somebody wants it to end.
struct ImportWatch {
  private static let rowsPerLook = 1000

  private let total: Int64
  private let progress: @Sendable (ImportProgress) -> Void
  private let isCancelled: () -> Bool

  init(
    total: Int64, _ progress: @escaping @Sendable (ImportProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) {
    self.total = total
    self.progress = progress
    self.isCancelled = isCancelled
  }

  func look(_ phase: ImportProgress.Phase, bytes: Int64, rows: Int) throws {
    guard rows % Self.rowsPerLook == 0 else { return }
    if isCancelled() { throw CancellationError() }
    progress(ImportProgress(phase: phase, bytes: bytes, totalBytes: total, rows: rows))
  }
}

extension WriteDoor {
  /// About what a row of a table takes in its file, to tell how many there are.
  private static let rowBytes: Int64 = 100

  fileprivate func importRows(
    _ request: ImportRequest, _ source: TableSource, _ watch: ImportWatch
  ) throws -> ImportReport {
    let plan = try ImportPlan(request, source: source, model: model) { bytes, rows in
      try watch.look(.examining, bytes: bytes, rows: rows)
    }
    if plan.isNewType { try addType(plan.type) }
    try makeKeyIndex(plan)
    let table = try BulkTable(
      plan.type, rows: source.totalBytes / Self.rowBytes, needed: plan.neededIndexes, self)
    var importing = try Importing(plan, source, self, time: request.time)
    var rows = 0
    var isHeader = if case .csv = source.format { true } else { false }
    try source.forEachRow { row, bytes in
      if isHeader {
        isHeader = false
        return
      }
      try importing.take(row)
      rows += 1
      try watch.look(.writing, bytes: bytes, rows: rows)
    }
    try importing.finish()
    try dropKeyIndex(plan)
    guard importing.report.takenCount > 0 else { throw ImportError.tookNone(importing.report) }
    // What a dry run did is taken back as a whole.
    if !request.isDryRun { try table.close() }
    return importing.report
  }

  /// A key that has no index gets one while the import runs, or every row would read the table.
  private func makeKeyIndex(_ plan: ImportPlan) throws {
    guard let key = plan.unindexedKey else { return }
    try execute(
      "CREATE INDEX \"\(plan.type.id.name)._import\" ON \(TypeSchema(plan.type).table)"
        + "(\(SortTerm(key).expression))")
  }

  private func dropKeyIndex(_ plan: ImportPlan) throws {
    guard plan.unindexedKey != nil else { return }
    try execute("DROP INDEX \"\(plan.type.id.name)._import\"")
  }

  /// Adds a type to the model, or brings one back that was dropped, in this transaction.
  private func addType(_ type: RecordType) throws {
    var model = model
    if let place = model.types.firstIndex(where: { $0.id == type.id }) {
      model.types[place] = type
      var migration = Migration(self, to: model)
      return try migration.run()
    }
    model.types.append(type)
    try model.checkNames()
    try library.surroundings.faults?.tick()
    try TypeSchema(type).create(db)
    let version = state.modelVersion + 1
    try execute(
      "INSERT INTO _model (version, yaml, at, number) VALUES (?, ?, ?, ?)",
      [version, ModelText.text(of: model), at, number])
    modelChanged(to: model, version: version)
  }
}

extension ImportPlan {
  /// The indexes by which rows find records: ids, keys, what must be unique, and titles where the
  /// type refers to itself.
  fileprivate var neededIndexes: Set<String> {
    var fields = type.fields.filter { $0.unique || $0.id == type.key || $0.id == key?.id }
    if type.fields.contains(where: { $0.type.target == type.id }),
      let title = type.title.flatMap(type.field)
    {
      fields.append(title)
    }
    return Set((["_id"] + fields.map(\.id.name)).map { "\(type.id.name).\($0)" })
  }

  fileprivate var unindexedKey: Field? {
    guard let key, !key.index, !key.unique, key.id != type.key else { return nil }
    return key
  }
}

extension JSON {
  /// A member's value as a cell shows it.
  fileprivate var cellText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: text
    }
  }
}
