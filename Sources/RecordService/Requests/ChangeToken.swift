// The opaque tokens of the feeds and of paged queries.
//
// A change token holds the epoch (which history), the zone or database, and the sequence up to
// which the reader has seen. It gives no access: the zone is looked up for the caller first.

internal import CloudKitWire

struct ChangeToken: Hashable {
  enum Feed: UInt8 {
    case zone = 1
    case database = 2
    /// In the middle of a zone's feed that is read newest first.
    case zoneReversed = 3
  }

  var feed: Feed
  var epoch: Int64
  /// The zone's mark (`Seal.mark`); 0 in a database's token.
  var zone: Int64
  var sequence: Int64
  /// Reversed only: what the reader had seen before he began, and where the zone stood then.
  var floor: Int64 = 0
  var top: Int64 = 0

  var text: String {
    var bytes: [UInt8] = [feed.rawValue]
    for number in [epoch, zone, sequence, floor, top] {
      bytes.append(contentsOf: Self.bigEndian(UInt64(bitPattern: number)))
    }
    return Base64.encode(bytes + Self.check(bytes))
  }

  init(_ feed: Feed, epoch: Int64, zone: Int64 = 0, sequence: Int64) {
    self.feed = feed
    self.epoch = epoch
    self.zone = zone
    self.sequence = sequence
  }

  /// Nil for anything that no service of ours has written.
  init?(_ text: String) {
    guard text.utf8.count <= 64, let bytes = Base64.decode(text), bytes.count == 45,
      Self.check(bytes[..<41]) == Array(bytes[41...]), let feed = Feed(rawValue: bytes[0])
    else { return nil }
    let numbers = stride(from: 1, to: 41, by: 8).map { start in
      Int64(bitPattern: bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    self.init(feed, epoch: numbers[0], zone: numbers[1], sequence: numbers[2])
    floor = numbers[3]
    top = numbers[4]
    guard sequence >= 0, floor >= 0, top >= 0 else { return nil }
  }

  /// Why the token can't be used on that zone; nil when it can.
  func refusal(for zone: StoredZone, _ mark: Int64, in epoch: Epoch) -> TokenRefusal? {
    if self.epoch != epoch.id { return .future }
    if self.zone != mark { return .recreated }
    let seen = feed == .zoneReversed ? floor : sequence
    if max(seen, top) > zone.sequence { return .future }
    // A reader at the very start has nothing that could have been deleted behind his back.
    if seen < zone.forgotten, seen > 0 { return .retention }
    return nil
  }

  static func expired(_ refusal: TokenRefusal) -> ServiceError {
    let because =
      switch refusal {
      case .retention: "it is older than the deletions that are kept"
      case .future: "it comes from a history that this service does not have"
      case .recreated: "the zone was deleted and made again"
      }
    var error = ServiceError(
      .badRequest, "The syncToken can't be used any more: \(because). Drop it and read anew.")
    error.extensionErrorCode = ServiceError.tokenExpired
    error.tokenRefusal = refusal
    return error
  }

  static func bigEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// FNV-1a: tells a damaged token from a good one.
  ///
  /// Nobody is kept out by it.
  private static func check(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return (0..<4).map { UInt8(truncatingIfNeeded: hash >> (24 - 8 * $0)) }
  }
}
