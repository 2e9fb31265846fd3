internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

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
      for finding in report.repaired {
        try output.line(Words.system.doctor.repaired(finding.words))
      }
      for finding in report.findings { try output.line(finding.words) }
      if report.findings.contains(where: \.isOfFile) {
        try output.line(Words.system.doctor.fileRemedy(library.path ?? ""))
      }
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
  /// Whether the file itself is damaged, which nothing in it can put right.
  fileprivate var isOfFile: Bool { if case .file = self { true } else { false } }

  var words: String {
    let words = Words.system.doctor
    return switch self {
    case .file(let message): words.file(message)
    case .missingIndex(let name): words.missingIndex(name)
    case .missingGuard(let table): words.missingGuard(table)
    case .search(let type): words.search(type.name)
    case .count(let type, let noted, let found): words.count(type.name, noted: noted, found: found)
    case .state(let record): words.state("\(record.type) \(record.id)")
    case .conflictMark(let record): words.conflictMark("\(record.type) \(record.id)")
    case .openTransaction(let number): words.openTransaction(number)
    case .attachmentMissing(let hash): words.attachmentMissing(hash)
    case .attachmentDamaged(let hash): words.attachmentDamaged(hash)
    case .unusedAttachments(let files, let bytes):
      words.unusedAttachments(files: files, bytes: bytes)
    }
  }
}
