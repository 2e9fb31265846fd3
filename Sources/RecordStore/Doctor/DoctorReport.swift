// What the doctor finds, as data. Sentences are made in Wording.

package import Records

/// One thing that is not as it should be.
package enum DoctorFinding: Sendable, Hashable {
  /// SQLite's own words about its file.
  case file(String)
  case missingIndex(name: String)
  /// A table that other programs could write past history.
  case missingGuard(table: String)
  /// A search table that does not find what is in the records.
  case search(type: TypeID)
  /// The number of records as it was counted along, and as it is.
  case count(type: TypeID, noted: Int, found: Int)
  /// A record whose state does not read.
  case state(RecordReference)
  /// A record that is marked as conflicting and is not, or the other way round.
  case conflictMark(RecordReference)
  /// A transaction of the log that was never closed: another program's.
  case openTransaction(Int64)
  /// Content that records refer to and that is not here.
  case attachmentMissing(hash: String)
  /// Content that is not what its hash says.
  case attachmentDamaged(hash: String)
  /// Content that nothing refers to any more.
  case unusedAttachments(files: Int, bytes: Int64)

  /// Whether the doctor can put it right without losing anything.
  package var isRepairable: Bool {
    switch self {
    case .missingIndex, .missingGuard, .search, .count, .conflictMark, .openTransaction,
      .unusedAttachments:
      true
    // An index that disagrees with its table is made anew from the table; anything else in SQLite's
    // words needs a backup.
    case .file(let words): words.contains("index")
    case .state, .attachmentMissing, .attachmentDamaged: false
    }
  }
}

/// What an examination looked at and found.
package struct DoctorReport: Sendable, Hashable {
  package var records = 0
  package var transactions = 0
  package var attachments = 0
  package var findings: [DoctorFinding] = []
  /// What was put right; empty for an examination alone.
  package var repaired: [DoctorFinding] = []
  /// The backup that was made before anything was repaired.
  package var backup: String?

  package var isHealthy: Bool { findings.isEmpty }
}
