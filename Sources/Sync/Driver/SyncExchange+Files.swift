// Files between a library and the service: sent before the record that refers to them, fetched after
// the records that speak of them. Streamed both ways; each hash travels once.

internal import CloudKitWire
internal import RecordStore
internal import Records
internal import Synchronization

/// What came of sending files.
struct SentFiles: Sendable {
  /// What a record needs to refer to a file, by its hash.
  var assets: [String: WireAsset] = [:]
  /// Files that the service does not take, by their hash.
  var refused: [String: Answer] = [:]
  /// What stands in the way of all.
  var stop: Answer?
  var bytes = 0
}

extension SyncExchange {
  /// How long an answer to an upload is used again: well below what a service may promise
  /// (reference 10 has 15 minutes for the address alone).
  static let receiptMilliseconds: Int64 = 10 * 60 * 1_000
  /// The most of one value that is fetched into memory: far more than a person writes.
  static let valueBytesMax = 64 << 20
  /// Files of one action, so that what is asked for meanwhile does not wait long.
  static let filesPerAction = 8

  // MARK: Out

  /// Has the service hold the files.
  ///
  /// Those whose content is not here are left out: somebody else has it.
  func send(_ files: [NeededFile]) async throws -> SentFiles {
    var result = SentFiles()
    var wanted: [NeededFile] = []
    var hashes: Set<String> = []
    for file in files where hashes.insert(file.hash).inserted {
      guard file.bytes != nil || file.heldIn != nil || library.hasContent(file.hash) else {
        continue
      }
      if file.size > Int64(WireLimits.assetBytesMax) {
        result.refused[file.hash] = Answer(.tooLong, detail: "attachmentTooLarge")
      } else {
        wanted.append(file)
      }
    }
    try await reuse(&wanted, &result)
    for part in wanted.chunks(of: WireLimits.uploadTokensMax) {
      switch await client.uploadAddresses(Array(part)) {
      case .failure(let answer):
        result.stop = answer
        return result
      case .message(let message, _):
        guard message.tokens.count == part.count else {
          result.stop = Answer(.missing)
          return result
        }
        for (file, token) in zip(part, message.tokens) {
          try await upload(file, to: token.url ?? "", &result)
          if result.stop != nil { return result }
        }
      }
    }
    return result
  }

  /// Takes what the service holds already out of the list.
  private func reuse(_ wanted: inout [NeededFile], _ result: inout SentFiles) async throws {
    guard !wanted.isEmpty else { return }
    let receipts = try await library.contentReceipts(wanted.map(\.hash))
    var older: [(hash: String, record: String, field: String)] = []
    for (hash, receipt) in receipts {
      if client.milliseconds() - receipt.at < Self.receiptMilliseconds, receipt.at > 0,
        let asset = Self.asset(receipt.descriptor)
      {
        result.assets[hash] = asset
      } else {
        older.append((hash, receipt.record, receipt.field))
      }
    }
    for file in wanted {
      // Another field of the same record: the service has the content, we may not.
      guard let field = file.heldIn, result.assets[file.hash] == nil else { continue }
      older.removeAll { $0.hash == file.hash }
      older.append((file.hash, file.record, field))
    }
    older.sort { $0.hash < $1.hash }
    for part in older.chunks(of: WireLimits.namesMax) {
      guard
        case .message(let found, _) = await client.rereference(
          part.map { ($0.record, $0.field) })
      else { continue }
      for (file, asset) in zip(part, found.assets) {
        guard let asset, RecordFiles.hash(of: asset) == file.hash else { continue }
        result.assets[file.hash] = asset
      }
    }
    wanted.removeAll { file in
      result.assets[file.hash] != nil || file.bytes == nil && !library.hasContent(file.hash)
    }
  }

  private static func asset(_ bytes: [UInt8]) -> WireAsset? {
    do { return try WireAsset(body: bytes) } catch { return nil }
  }

  private func upload(
    _ file: NeededFile, to address: String, _ result: inout SentFiles
  ) async throws {
    let content: UploadContent
    if let bytes = file.bytes {
      content = .bytes(bytes)
    } else if let path = library.contentPath(file.hash) {
      content = .file(path: path, size: file.size)
    } else {
      return
    }
    switch await client.upload(content, to: address) {
    case .failure(let answer):
      switch OutcomeTable.outcome(of: answer.kind, at: .file) {
      case .park: result.refused[file.hash] = answer
      default: result.stop = answer
      }
    case .message(let answer, _):
      // Another content than what we sent: something on the way changed it.
      if let hash = RecordFiles.hash(of: answer.asset), hash != file.hash {
        result.stop = Answer(.garbled, detail: "an upload that arrived as something else")
        return
      }
      result.assets[file.hash] = answer.asset
      result.bytes += Int(file.size)
      try await library.keepReceipts([
        file.hash: ContentReceipt(
          descriptor: answer.asset.body(), at: client.milliseconds(), record: file.record,
          field: file.field)
      ])
    }
  }

  // MARK: In, as part of a record

  /// Fetches the values of a record that travel as files, so that it can be read.
  ///
  /// Answers what stood in the way.
  func complete(_ record: inout WireRecord) async -> Answer? {
    for (file, field) in RecordFiles.spilled(in: record) {
      guard let address = file.downloadURL, (file.size ?? 0) <= Int64(Self.valueBytesMax) else {
        return Answer(.code(.notFound))
      }
      let content = Mutex<[UInt8]>([])
      let failure = await client.download(address) { piece, isContinued in
        try content.withLock { content in
          if !isContinued { content = [] }
          content += piece
          guard content.count <= Self.valueBytesMax else { throw TransportFailure.oversized }
        }
      }
      if let failure { return failure }
      let bytes = content.withLock { $0 }
      if let hash = RecordFiles.hash(of: file), hash != ContentHash.of(bytes) {
        return Answer(.garbled, detail: "a file that is not what its name says")
      }
      if field == CausalBytes.fieldName {
        record.fields[field] = .bytes(bytes)
      } else {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return Answer(.garbled, detail: "a text that is none")
        }
        record.fields[field] = .string(text)
      }
    }
    return nil
  }

  // MARK: In, by themselves

  /// Fetches some of the attached files that have not arrived.
  func fetchFiles() async -> (Answer, FilesReport) {
    var report = FilesReport()
    do {
      let wanted = try await library.wantedContents(limit: Self.filesPerAction)
      if !wanted.isEmpty {
        let names = Array(Set(wanted.map(\.record))).sorted()
        switch await client.lookup(names) {
        case .failure(let answer): return (answer, report)
        case .message(let response, let bytes):
          report.counts.bytes += bytes
          var records: [String: WireRecord] = [:]
          for case .record(let record) in response.records {
            records[record.recordName ?? ""] = record
          }
          for content in wanted {
            let asset = Self.asset(of: content, in: records[content.record])
            if let answer = try await fetch(content, asset, &report) { return (answer, report) }
          }
        }
      }
      report.left = try await library.wantedContentCount()
      return (.success, report)
    } catch {
      return (Self.answer(to: error), report)
    }
  }

  /// The file in the field where it was seen, or wherever the record has it now.
  private static func asset(of content: WantedContent, in record: WireRecord?) -> WireAsset? {
    var found: [WireAsset] = []
    for field in record?.fields.values.map(\.value) ?? [] {
      switch field {
      case .asset(let asset): found.append(asset)
      case .list(let elements):
        for case .asset(let asset) in elements { found.append(asset) }
      default: break
      }
    }
    if let asset = found.first(where: { RecordFiles.hash(of: $0) == content.hash }) { return asset }
    // A service that names files otherwise: only the field tells, and the content is checked.
    if case .asset(let asset)? = record?.fields[content.field]?.value,
      RecordFiles.hash(of: asset) == nil
    {
      return asset
    }
    return nil
  }

  /// Fetches one file; what stands in the way of all is answered.
  private func fetch(
    _ content: WantedContent, _ asset: WireAsset?, _ report: inout FilesReport
  ) async throws -> Answer? {
    if library.hasContent(content.hash) {
      try await library.settleContents([content.hash])
      return nil
    }
    guard let asset, let address = asset.downloadURL else {
      return try await giveUp(content, .code(.notFound))
    }
    let file = try library.receiveContent(content.hash, sizeMax: content.size)
    if file.size < content.size || content.size == 0 {
      let before = file.size
      let failed = Mutex<(any Error)?>(nil)
      let failure = await client.download(address, from: before) { piece, isContinued in
        do {
          try file.append(piece, isContinued: isContinued)
        } catch {
          failed.withLock { $0 = error }
          throw error
        }
      }
      report.counts.bytes += Int(max(0, file.size - before))
      if let error = failed.withLock({ $0 }) {
        guard case StoreError.attachmentDamaged = error else { throw error }
        try file.discard()
        try await library.failContent(content.hash, reason: "contentDamaged", atOnce: false)
        return nil
      }
      if let failure {
        guard OutcomeTable.outcome(of: failure.kind, at: .file) == .park else { return failure }
        return try await giveUp(content, failure.kind)
      }
    }
    do {
      try file.finish()
    } catch StoreError.attachmentDamaged {
      try await library.failContent(content.hash, reason: "contentDamaged", atOnce: false)
      return nil
    }
    try await library.settleContents([content.hash])
    report.arrived += 1
    return nil
  }

  /// A file that the service does not have: forgotten where nothing here speaks of it any more.
  private func giveUp(_ content: WantedContent, _ kind: AnswerClass) async throws -> Answer? {
    let id = RecordNaming.id(of: content.record)
    if try await library.refersToContent(content.hash, by: id) {
      let reason = kind == .code(.notFound) ? "contentMissing" : kind.word
      try await library.failContent(content.hash, reason: reason, atOnce: true)
    } else {
      try await library.settleContents([content.hash])
    }
    return nil
  }
}
