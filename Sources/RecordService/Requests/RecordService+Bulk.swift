// changes/zone as NDJSON, for a first sync: a line a record, as long as there are any, then a line
// with the token. Asked for with `Accept: application/x-ndjson` beside the extensions' header.

internal import CloudKitWire

extension RecordService {
  /// Records read in one snapshot.
  ///
  /// Between two pieces the zone may change: the feed takes care of that as it does between two
  /// pages.
  private static let pieceRecords = 2_000
  private static let pieceBytes = 1_000_000

  func wantsBulk(_ call: Call) -> Bool {
    call.wantsExtensions && call.headers["accept"]?.contains("application/x-ndjson") == true
  }

  func bulkChanges(
    _ query: ZoneChangesQuery, _ call: Call
  ) async throws -> ServiceResponse {
    var query = query
    query.reverse = nil
    // The first piece is read before the status goes out, so that a refusal is an ordinary one.
    let first = try await piece(query, call)
    let next = query
    let isPacked = call.headers["accept-encoding"].map { Self.accepts(gzip: $0) } ?? false
    let stream = AsyncThrowingStream<[UInt8], any Error>(
      unfolding: unfolding(first, next, call, isPacked: isPacked))
    var response = ServiceResponse(
      headers: [("content-type", "application/x-ndjson; charset=UTF-8")], body: .stream(stream))
    if isPacked {
      response.headers += [("content-encoding", "gzip"), ("vary", "accept-encoding")]
    }
    return response
  }

  private func unfolding(
    _ first: Piece, _ query: ZoneChangesQuery, _ call: Call, isPacked: Bool
  ) -> @Sendable () async throws -> [UInt8]? {
    let state = BulkState(first)
    return {
      guard let piece = await state.take() else { return nil }
      if piece.isMore {
        var following = query
        following.syncToken = piece.token
        await state.put(try await self.piece(following, call))
      }
      return isPacked ? try await state.packed(piece) : piece.lines
    }
  }

  private func piece(_ query: ZoneChangesQuery, _ call: Call) async throws -> Piece {
    var wide = call
    // The page's own limits are the piece's.
    wide.headers[ServiceExtensions.headerName] = "bulk"
    var query = query
    query.resultsLimit = Self.pieceRecords
    let page = try await readPage(query, wide, room: Self.pieceBytes, asLines: true)
    return Piece(lines: page.json, token: page.next?.text ?? "", isMore: page.isMore)
  }
}

private struct Piece: Sendable {
  var lines: [UInt8]
  var token: String
  var isMore: Bool
}

private actor BulkState {
  private var piece: Piece?
  private var gzip = GzipPieces()

  init(_ piece: Piece) {
    self.piece = piece
  }

  func take() -> Piece? {
    defer { piece = nil }
    return piece
  }

  func put(_ piece: Piece) { self.piece = piece }

  func packed(_ piece: Piece) throws -> [UInt8] {
    try gzip.compress(piece.lines, isLast: !piece.isMore)
  }
}
