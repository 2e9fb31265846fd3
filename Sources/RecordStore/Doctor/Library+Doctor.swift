// The doctor: reads the whole library and compares what is said twice. It repairs only what can be
// made again from the records themselves, after a backup, and names the rest.

internal import GRDB
internal import Records

extension Library {
  /// Examines the file, the indexes, the guards, the counts, the search tables, every record's
  /// state, the log and the attachments.
  ///
  /// Changes nothing.
  package func examine() async throws -> DoctorReport {
    var report = DoctorReport()
    // The search tables' own check is a statement that writes, so it runs where writes run.
    report.findings += try await searchDamage()
    report = try await read { [report] reading in
      var examination = Examination(reading: reading, report: report)
      do {
        try examination.run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        // What lies behind the damage can't be examined.
        examination.report.findings.append(.file(error.message ?? "malformed"))
      }
      return examination.report
    }
    do {
      try await examineAttachments(&report)
    } catch let error as StoreError where error.isDamage {
      report.findings.append(.file("the attachments that records name can't be read"))
    }
    return report
  }

  /// Examines, backs up, and puts right what can be.
  ///
  /// - Returns: What is left, and what was repaired.
  package func repair() async throws -> DoctorReport {
    let before = try await examine()
    let repairable = before.findings.filter(\.isRepairable)
    guard !repairable.isEmpty else { return before }
    let backup = try await backUpBeforeRepair()
    let findings = repairable
    _ = try await transaction(TransactionHead(origin: .repair)) { door in
      for finding in findings { try door.repair(finding) }
      door.repaired()
    }
    if repairable.contains(where: { if case .unusedAttachments = $0 { true } else { false } }) {
      _ = try await collectAttachments()
    }
    var after = try await examine()
    after.repaired = repairable.filter { !after.findings.contains($0) }
    after.backup = backup
    return after
  }

  private func backUpBeforeRepair() async throws -> String? {
    guard path != nil else { return nil }
    do {
      return try await backUp(to: try safetyPath(before: "repair")).path
    } catch StoreError.sqlite, StoreError.damaged {
      // A file that is too damaged to copy is repaired where it lies, or not at all: the repairs
      // only make anew what the records say.
      return nil
    }
  }

  /// Asking FTS5 is a write to SQLite: a library that is only looked at is not asked.
  private func searchDamage() async throws -> [DoctorFinding] {
    if isReadOnly { return [] }
    let database = database
    let types = model.types.filter { !$0.searchedFields.isEmpty }
    return try await translatingErrors {
      try await database.writeWithoutTransaction { db in
        try types.compactMap { type in
          let table = TypeSchema(type).searchTable
          do {
            try db.execute(sql: "INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
            return nil
          } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return .search(type: type.id)
          } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return .search(type: type.id)  // The table is gone.
          }
        }
      }
    }
  }

  private func examineAttachments(_ report: inout DoctorReport) async throws {
    let used = try await attachmentHashes()
    let horizon =
      surroundings.milliseconds() - Int64(Self.unusedAttachmentAge.components.seconds) * 1000
    var unused = (files: 0, bytes: Int64(0))
    var present: Set<String> = []
    try attachments.forEachEntry { entry in
      if let hash = entry.hash, used.contains(hash) {
        present.insert(hash)
        report.attachments += 1
      } else if entry.modified.milliseconds < horizon {
        unused.files += 1
        unused.bytes += entry.size
      }
    }
    for hash in present.sorted() {
      do {
        try attachments.read(hash) { _ in }
      } catch StoreError.attachmentDamaged {
        report.findings.append(.attachmentDamaged(hash: hash))
      }
    }
    let living = try await read { try AttachmentReferences.living(in: $0) }
    for hash in living.subtracting(present).sorted() {
      report.findings.append(.attachmentMissing(hash: hash))
    }
    if unused.files > 0 {
      report.findings.append(.unusedAttachments(files: unused.files, bytes: unused.bytes))
    }
  }
}
