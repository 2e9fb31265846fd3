internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros doctor`: looks whether everything is as it should be.
struct DoctorCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the file, the indexes, the history and the attachments.",
    discussion: "Exit status 1 while anything is wrong. --repair backs up first.")

  @Flag(help: "Put right what can be put right without losing anything.") var repair = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let report = repair ? try await library.repair() : try await library.examine()
    if format.json {
      try output.line(json(of: report))
    } else {
      for finding in report.repaired { try output.line("repaired: \(finding.words)") }
      for finding in report.findings { try output.line(finding.words) }
      if report.isHealthy {
        try output.line(
          "All is well: \(report.records) records, \(report.transactions) transactions, "
            + "\(report.attachments) attachments.")
      }
    }
    if !report.isHealthy { throw ExitStatus.failed }
  }

  private func json(of report: DoctorReport) -> JSON {
    func findings(_ findings: [DoctorFinding]) -> JSON {
      .array(
        findings.map {
          ["finding": .string($0.words), "repairable": .boolean($0.isRepairable)]
        })
    }
    let outcome = !report.isHealthy ? "damaged" : report.repaired.isEmpty ? "healthy" : "repaired"
    return [
      "outcome": .string(outcome),
      "records": .count(report.records),
      "transactions": .count(report.transactions),
      "attachments": .count(report.attachments),
      "findings": findings(report.findings),
      "repaired": findings(report.repaired),
      "backup": .string(orNull: report.backup),
    ]
  }
}

extension DoctorFinding {
  var words: String {
    switch self {
    case .file(let words): "SQLite says of its file: \(words)"
    case .missingIndex(let name): "the index \(name) is missing"
    case .missingGuard(let table): "other programs could write \(table) past the history"
    case .search(let type): "the search of \(type) does not find what is in the records"
    case .count(let type, let noted, let found):
      "\(type) was counted as \(noted) records and has \(found)"
    case .state(let record): "the state of \(record.type) \(record.id) can't be read"
    case .conflictMark(let record):
      "\(record.type) \(record.id) is marked wrongly as to whether it has conflicts"
    case .openTransaction(let number):
      "transaction \(number) was never closed: another program wrote it"
    case .attachmentMissing(let hash): "the content of an attachment is missing (\(hash))"
    case .attachmentDamaged(let hash):
      "the content of an attachment is not what was attached (\(hash))"
    case .unusedAttachments(let files, let bytes):
      "\(files) attachments (\(bytes) bytes) are used by no record any more"
    }
  }
}
