// gzip in both directions, whole buffers, bounded.

internal import CPlatform
internal import Glibc
package import CloudKitWire

package enum Gzip {
  /// Fast rather than small: the wire is usually quicker than the last per cent.
  static let level: Int32 = 1

  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    let capacity = CPlatform_gzip_bound(bytes.count)
    let packed = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = CPlatform_gzip(bytes, bytes.count, buffer.baseAddress, capacity, level)
    }
    return packed.isEmpty ? nil : packed
  }

  /// Throws for what is not gzip, or grows beyond the bound.
  package static func expand(_ bytes: [UInt8], max: Int) throws(MalformedMessage) -> [UInt8] {
    var state: UnsafeMutableRawPointer?
    defer { CPlatform_gunzip_free(&state) }
    var done = 0
    var outcome: Int32 = 0
    var plain: [UInt8] = []
    let piece = 262_144
    while outcome == 0 {
      let part = [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
        count = CPlatform_gunzip(
          &state, bytes, bytes.count, &done, buffer.baseAddress, piece, &outcome)
      }
      guard outcome >= 0, plain.count + part.count <= max else {
        throw MalformedMessage("the body is no gzip, or too large", at: done)
      }
      plain += part
      if outcome == 0, part.isEmpty, done >= bytes.count {
        throw MalformedMessage("the gzip body ends too early", at: done)
      }
    }
    guard done == bytes.count else {
      throw MalformedMessage("something follows the gzip body", at: done)
    }
    return plain
  }
}

/// gzip for a body that comes in pieces.
///
/// One writer.
struct GzipPieces: ~Copyable {
  private static let roomBytes = 65_536
  private var state: UnsafeMutableRawPointer?

  deinit {
    var state = state
    CPlatform_gzip_free(&state)
  }

  /// What a piece becomes; the reader can expand it without waiting for the next.
  mutating func compress(_ piece: [UInt8], isLast: Bool) throws -> [UInt8] {
    var packed: [UInt8] = []
    var done = 0
    var outcome: Int32 = 0
    while outcome == 0 {
      packed += [UInt8](unsafeUninitializedCapacity: Self.roomBytes) { buffer, count in
        count = CPlatform_gzip_piece(
          &state, piece, piece.count, &done, buffer.baseAddress, Self.roomBytes, Gzip.level,
          isLast ? 1 : 0, &outcome)
      }
    }
    guard outcome == 1 else { throw StorageFault.system(ENOMEM) }
    return packed
  }
}

extension RecordService {
  /// A small answer gains nothing from compression.
  private static let compressionBytesMin = 1_024

  func decompressed(_ request: ServiceRequest) throws -> ServiceRequest {
    guard let encoding = request.headers["content-encoding"]?.lowercased(),
      encoding != "identity", !encoding.isEmpty
    else { return request }
    guard encoding == "gzip" || encoding == "x-gzip" else {
      throw ServiceError(.badRequest, "The only content-encoding is gzip.")
    }
    var request = request
    request.body = try Gzip.expand(request.body, max: settings.bodyBytesMax)
    return request
  }

  func compressed(
    _ response: ServiceResponse, for request: ServiceRequest
  ) -> ServiceResponse {
    guard let accepted = request.headers["accept-encoding"], Self.accepts(gzip: accepted),
      let bytes = response.bytes, bytes.count >= Self.compressionBytesMin,
      let packed = Gzip.compress(bytes)
    else { return response }
    var response = response
    response.body = .bytes(packed)
    response.headers.append(("content-encoding", "gzip"))
    response.headers.append(("vary", "accept-encoding"))
    return response
  }

  static func accepts(gzip header: String) -> Bool {
    header.split(separator: ",").contains { part in
      let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let coding = words.first?.lowercased(), coding == "gzip" || coding == "*" else {
        return false
      }
      return !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }
}
