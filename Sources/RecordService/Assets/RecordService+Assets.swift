// Assets: URLs that carry their own permission, uploads, and receipts.
//
// A URL is sealed with the service's secret and names the database and its end of life, so it needs
// no row and no credential. A receipt says that this file was uploaded for this database: knowing a
// checksum alone gives nobody another's file.

internal import CloudKitWire

extension RecordService {
  // MARK: Endpoints

  func makeUploadTokens(_ call: Call) async throws -> ServiceResponse {
    if call.caller.kind == .world { throw signInRequired(call.route) }
    let request: AssetUploadMessage = try call.message()
    guard request.tokens.count <= WireLimits.uploadTokensMax else {
      throw ServiceError(
        .badRequest, "At most \(WireLimits.uploadTokensMax) upload tokens are given at once.")
    }
    _ = try call.zoneName(request.zoneID)
    let until = now + settings.uploadURLMilliseconds
    let tokens = try request.tokens.map { token in
      guard let field = token.fieldName, NameRules.isIdentifier(field) else {
        throw ServiceError(.badRequest, "A token needs a fieldName.")
      }
      var answer = AssetToken(
        recordName: token.recordName ?? surroundings.uuid(), fieldName: field)
      let text = "\(until)|\(call.database.text)|\(surroundings.hex(8))"
      answer.url = "\(publicURL)/assets/upload/\(seal.sealed(text, for: "upload"))"
      return answer
    }
    return ServiceResponse(AssetUploadMessage(tokens))
  }

  func rereference(_ call: Call) async throws -> ServiceResponse {
    if call.caller.kind == .world { throw signInRequired(call.route) }
    let request: RereferenceRequest = try call.message()
    guard request.assets.count <= WireLimits.namesMax else {
      throw ServiceError(.badRequest, "At most \(WireLimits.namesMax) assets are rereferenced.")
    }
    let zoneName = try call.zoneName(request.zoneID)
    let database = call.database
    let uses = try await storage.read { storage in
      let zone = try storage.zone(named: zoneName, in: database)
      return try request.assets.map { asset -> [StoredAssetUse] in
        guard let zone, let record = asset.recordName, NameRules.isRecordName(record),
          let field = asset.fieldName
        else { return [] }
        return try storage.assetUses(of: record, in: zone.number).filter { $0.field == field }
      }
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("assets")
      writer.array { writer in
        for (asset, found) in zip(request.assets, uses) {
          guard let use = found.first else {
            var error = ServiceError(.notFound, "There is no asset in that field.")
            error.recordName = asset.recordName
            error.uuid = surroundings.uuid()
            error.write(to: &writer)
            continue
          }
          assets.touch(use.digest)
          describe(digest: use.digest, bytes: use.bytes, database).write(to: &writer)
        }
      }
    }
    return ServiceResponse(json: writer.bytes)
  }

  // MARK: Files

  /// Takes an uploaded file in, piece by piece.
  package func receiveAsset<Pieces: AsyncSequence>(
    _ token: String, _ pieces: Pieces
  ) async -> ServiceResponse where Pieces.Element == [UInt8] {
    do {
      guard let text = seal.opened(token, for: "upload"),
        let grant = AssetGrant(text), grant.until > now
      else { throw ServiceError(.accessDenied, "The upload URL is not valid any more.") }
      let file = try assets.receive(name: surroundings.hex(16))
      for try await piece in pieces { try file.append(piece) }
      if let quota = settings.quotaBytes, grant.database.scope == .private {
        let owner = grant.database.owner
        let used = try await storage.read { try $0.usedBytes(of: owner) }
        guard used + Int64(file.size) <= quota else {
          throw ServiceError(.quotaExceeded, "The user's storage is full.")
        }
      }
      let size = file.size
      let digest = try await file.finish()
      metrics.countUpload(bytes: size)
      return ServiceResponse(
        SingleFile(describe(digest: digest, bytes: Int64(size), grant.database)))
    } catch {
      return response(to: error)
    }
  }

  /// The file behind a download URL.
  package func sendAsset(_ token: String) -> ServiceResponse {
    guard let text = seal.opened(token, for: "download"), let grant = AssetGrant(text),
      grant.until > now, let digest = grant.digest, let bytes = assets.bytes(digest)
    else {
      return response(to: ServiceError(.notFound, "The file is not there any more."))
    }
    return ServiceResponse(
      headers: [
        ("content-type", "application/octet-stream"), ("cache-control", "private"),
        ("x-content-type-options", "nosniff"), ("content-disposition", "attachment"),
      ],
      body: .file(path: assets.path(digest), bytes: bytes))
  }

  func downloadURL(
    digest: String, bytes: Int64, database: DatabaseKey, until: Int64
  ) -> String {
    let text = "\(until)|\(database.text)|\(digest)"
    return "\(publicURL)/assets/download/\(seal.sealed(text, for: "download"))"
  }

  private func describe(
    digest: String, bytes: Int64, _ database: DatabaseKey
  ) -> WireAsset {
    let until = now + settings.assetGraceMilliseconds
    let text = Self.receiptText(digest: digest, bytes: bytes, database, until: until)
    let checksum = Base64.encode(Hex.decode(digest) ?? [])
    return WireAsset(
      fileChecksum: checksum, size: bytes,
      receipt: "\(until)." + Base64.encodeForURL(seal.code(text, for: "receipt")),
      referenceChecksum: Base64.encode(seal.code(text, for: "reference").prefix(20)),
      wrappingKey: Base64.encode(seal.code(digest, for: "wrapping").prefix(16)))
  }

  func isReceipt(in database: DatabaseKey) -> @Sendable (WireAsset) -> Bool {
    let now = now
    let seal = seal
    return { asset in
      guard let digest = AssetDigest.hex(of: asset), let size = asset.size,
        let parts = asset.receipt?.split(separator: "."), parts.count == 2,
        let until = Int64(parts[0]), until > now, let code = Base64.decode(String(parts[1]))
      else { return false }
      let text = Self.receiptText(digest: digest, bytes: size, database, until: until)
      return seal.isValid(code, of: text, for: "receipt")
    }
  }

  private static func receiptText(
    digest: String, bytes: Int64, _ database: DatabaseKey, until: Int64
  ) -> String {
    "\(until)|\(database.text)|\(digest)|\(bytes)"
  }
}

/// What a sealed URL allows.
private struct AssetGrant {
  var until: Int64
  var database: DatabaseKey
  var digest: String?

  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, let until = Int64(parts[0]),
      let environment = ServiceEnvironment(rawValue: parts[2]),
      let scope = DatabaseScope(rawValue: parts[3]), let owner = Int64(parts[4]),
      let container = PercentEncoding.decode(parts[1])
    else { return nil }
    self.until = until
    database = DatabaseKey(
      container: container, environment: environment, scope: scope, owner: owner)
    digest = parts[5].utf8.count == 64 ? parts[5] : nil
  }
}

extension DatabaseKey {
  /// Its parts, separated by bars.
  fileprivate var text: String {
    "\(PercentEncoding.encode(container))|\(environment.rawValue)|\(scope.rawValue)|\(owner)"
  }
}
