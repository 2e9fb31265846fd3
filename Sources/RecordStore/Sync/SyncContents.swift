// The content of attachments between this library and the service: what has yet to arrive, and what
// the service has been given. The bytes themselves lie in the attachments' folder.

internal import GRDB
package import Records

/// Content that records here refer to and that has not arrived.
package struct WantedContent: Sendable, Hashable {
  package let hash: String
  package let size: Int64
  /// The record of the service, and its field, that hold it.
  package let record: String
  package let field: String
  /// Attempts that failed for reasons of its own.
  package var attempts = 0
  /// Why it is not tried any more, as a stable word; nothing while it is.
  package var reason: String?

  package init(hash: String, size: Int64, record: String, field: String) {
    self.hash = hash
    self.size = size
    self.record = record
    self.field = field
  }
}

/// What the service answered to an upload: with it a record may refer to the content.
package struct ContentReceipt: Sendable, Hashable {
  /// The wire's own form.
  package let descriptor: [UInt8]
  /// Milliseconds since 1970 UTC.
  package let at: Int64
  /// The record and field that it was uploaded for.
  package let record: String
  package let field: String

  package init(descriptor: [UInt8], at: Int64, record: String, field: String) {
    self.descriptor = descriptor
    self.at = at
    self.record = record
    self.field = field
  }
}

extension Library {
  /// Failures of its own after which content is set aside, until a person asks again.
  package static let contentAttemptsMax = 3

  /// What to fetch next, oldest first; never what is set aside.
  package func wantedContents(limit: Int) async throws -> [WantedContent] {
    try await read { reading in
      try reading.contents("WHERE reason IS NULL ORDER BY at, hash LIMIT \(limit)")
    }
  }

  /// What was given up on, and why.
  package func missingContents(limit: Int) async throws -> [WantedContent] {
    try await read { reading in
      try reading.contents("WHERE reason IS NOT NULL ORDER BY at, hash LIMIT \(limit)")
    }
  }

  /// How many contents are to be fetched, without those set aside.
  package func wantedContentCount() async throws -> Int {
    try await read { reading in
      try Int.fetchOne(
        reading.db, sql: "SELECT count(*) FROM _content WHERE reason IS NULL") ?? 0
    }
  }

  /// Content arrived, or nothing here refers to it any more.
  package func settleContents(_ hashes: [String]) async throws {
    guard !hashes.isEmpty else { return }
    try await keepingBooks { db in
      for hash in hashes {
        try db.cachedStatement(sql: "DELETE FROM _content WHERE hash = ?")
          .execute(arguments: [hash])
      }
    }
  }

  /// Counts a failed attempt; after some, or at once, the content is set aside with its reason.
  package func failContent(_ hash: String, reason: String, atOnce: Bool) async throws {
    try await keepingBooks { db in
      try db.execute(
        sql: """
          UPDATE _content SET attempts = attempts + 1,
            reason = CASE WHEN ? OR attempts + 1 >= ? THEN ? END WHERE hash = ?
          """, arguments: [atOnce, Self.contentAttemptsMax, reason, hash])
    }
  }

  /// Whether any record here, living or in the trash, still refers to some content.
  package func refersToContent(_ hash: String, by id: RecordID) async throws -> Bool {
    try await read { reading in
      guard let name = try reading.remoteType(of: id), let type = reading.model.type(name),
        let record = try reading.record(type, id)
      else { return false }
      return record.state.attachments.contains { $0.hash == hash }
    }
  }

  // MARK: Given to the service

  package func contentReceipts(_ hashes: [String]) async throws -> [String: ContentReceipt] {
    try await read { reading in
      var result: [String: ContentReceipt] = [:]
      for hash in hashes {
        let row = try Row.fetchOne(
          reading.db.cachedStatement(
            sql: "SELECT descriptor, at, record, field FROM _receipt WHERE hash = ?"),
          arguments: [hash])
        guard let row, let bytes = Blob.bytes(row[0]) else { continue }
        result[hash] = ContentReceipt(
          descriptor: bytes, at: row[1], record: row[2], field: row[3])
      }
      return result
    }
  }

  package func keepReceipts(_ receipts: [String: ContentReceipt]) async throws {
    guard !receipts.isEmpty else { return }
    try await keepingBooks { db in
      for (hash, receipt) in receipts {
        try db.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO _receipt (hash, descriptor, at, record, field)
            VALUES (?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          hash, Blob.stored(receipt.descriptor), receipt.at, receipt.record, receipt.field,
        ])
      }
    }
  }
}

extension WriteDoor {
  /// Writes down which content of a page is not here yet.
  func want(_ contents: [WantedContent], at time: Int64) throws {
    for content in contents where !library.attachments.has(content.hash) {
      try execute(
        """
        INSERT OR REPLACE INTO _content (hash, size, record, field, attempts, reason, at)
        VALUES (?, ?, ?, ?, 0, NULL, ?)
        """, [content.hash, content.size, content.record, content.field, time])
    }
  }
}

extension Reading {
  fileprivate func contents(_ rest: String) throws -> [WantedContent] {
    try Row.fetchAll(
      db, sql: "SELECT hash, size, record, field, attempts, reason FROM _content \(rest)"
    ).map { row in
      var content = WantedContent(hash: row[0], size: row[1], record: row[2], field: row[3])
      content.attempts = row[4]
      content.reason = row[5]
      return content
    }
  }

  fileprivate func remoteType(of id: RecordID) throws -> TypeID? {
    try String.fetchOne(
      db, sql: "SELECT type FROM _remote WHERE id = ?", arguments: [ColumnCodec.stored(id)]
    ).map { TypeID(trusted: $0) }
  }
}

extension RecordState {
  /// Every attachment that a value or sibling of this state is, ascending by hash.
  package var attachments: [Attachment] {
    var found: [String: Attachment] = [:]
    for register in registers.values {
      for sibling in register.siblings {
        if case .attachment(let attachment) = sibling.value { found[attachment.hash] = attachment }
      }
    }
    return found.values.sorted { $0.hash < $1.hash }
  }
}
