// What the operator decides, and what the service takes from its surroundings.

package import CloudKitWire

/// The numbers of a service.
///
/// Each is a bound with its reason.
package struct ServiceSettings: Sendable {
  /// What URLs that the service hands out begin with, without a slash at the end.
  package var publicURL = "http://127.0.0.1:7373"
  /// Bytes that one user may keep in all his private databases; nil for no limit.
  package var quotaBytes: Int64?
  /// Bytes that the store's file may have, without assets; nil for as many as the disk holds.
  package var storeBytesMax: Int64?
  /// How many zones one user may have.
  package var zones = ZoneBounds()
  /// Requests a second that one caller may make in the long run, and at once.
  ///
  /// Generous: it is there against a client that went mad, not against a busy one.
  package var requestsPerSecond = 500.0
  package var requestsBurst = 2_000.0
  /// How long tombstones and forgotten zones are kept, and so the age of the oldest change token
  /// that is sure to be honoured.
  package var tombstoneRetentionMilliseconds: Int64 = 180 * 86_400_000
  /// Life of a web-auth token that nobody uses; each use begins it anew.
  package var sessionMilliseconds: Int64 = 14 * 86_400_000
  /// Age after which a token is replaced at its next use.
  package var rotationMilliseconds: Int64 = 5 * 60_000
  /// How long a replaced token is still taken once its successor has been seen.
  package var rotationGraceMilliseconds: Int64 = 60 * 60_000
  package var uploadURLMilliseconds: Int64 = 15 * 60_000
  package var downloadURLMilliseconds: Int64 = 60 * 60_000
  /// How long an uploaded file may wait for the record that refers to it.
  package var assetGraceMilliseconds: Int64 = 24 * 3_600_000
  package var idempotencyMilliseconds: Int64 = 24 * 3_600_000
  package var signInCodeMilliseconds: Int64 = 10 * 60_000
  /// Bytes of a request, also after gunzip: 200 large records fit, a bomb does not.
  package var bodyBytesMax = 64_000_000
  /// Bytes of one response's records, after which a page ends early.
  package var pageBytesMax = 16_000_000
  /// Bytes of the records that one lookup answers: 200 of the largest always fit.
  package var lookupBytesMax = 300_000_000
  /// What is advertised to clients of ours.
  package var extensions: ServiceExtensions = {
    var extensions = ServiceExtensions()
    extensions.waitSecondsMax = 55
    extensions.recordsMax = 5_000
    extensions.operationsMax = 2_000
    extensions.hasGzip = true
    extensions.hasBulk = true
    extensions.hasIdempotencyKey = true
    extensions.hasServerRecord = true
    extensions.hasOwnSession = true
    return extensions
  }()

  package init() {}
}

/// Clock, randomness and the room on the disk: passed in, so that tests own them.
package struct ServiceSurroundings: Sendable {
  /// Milliseconds since 1970 UTC.
  package var milliseconds: @Sendable () -> Int64
  package var random: @Sendable (_ count: Int) -> [UInt8]
  package var sleep: @Sendable (Duration) async throws -> Void
  package var disk: @Sendable (_ path: String) -> DiskRoom

  package init(
    milliseconds: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable (_ count: Int) -> [UInt8],
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    disk: @escaping @Sendable (_ path: String) -> DiskRoom = { DiskRoom(of: $0) }
  ) {
    self.milliseconds = milliseconds
    self.random = random
    self.sleep = sleep
    self.disk = disk
  }

  /// The machine's own.
  package static var system: Self {
    Self(
      milliseconds: { systemMilliseconds() },
      random: { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      },
      sleep: { try await Task.sleep(for: $0) })
  }

  func hex(_ count: Int) -> String { Hex.encode(random(count)) }

  /// A version 4 UUID in upper case, as the service names records.
  func uuid() -> String {
    var bytes = random(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hex.encode(bytes).uppercased()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
