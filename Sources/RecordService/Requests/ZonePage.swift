// One page of a zone's feed, read and written in one go inside a snapshot.

internal import CloudKitWire

/// What one zone answers.
struct ZonePage: Sendable {
  /// The finished object.
  var json: [UInt8] = []
  var error: ServiceError?
  /// Whether there is a reason to answer at once.
  var hasNews = true
  var next: ChangeToken?
  var isMore = false

  init() {}

  init(failing error: ServiceError) {
    self.error = error
    json = error.body()
  }

  func write(to writer: inout JSONWriter) { writer.raw(json) }
}

/// The wishes of a reader.
struct PageReader: Sendable {
  var limit: Int
  /// Bytes after which the page ends early; a first record always fits.
  var room: Int
  var types: Set<String>?
  var isReversed: Bool
  /// One JSON text a line instead of one around all.
  var asLines = false
  var seal: Seal

  func read(
    _ zone: StoredZone, _ epoch: Epoch, after given: ChangeToken?, _ encoder: RecordEncoder,
    _ storage: any StorageReading
  ) throws -> ZonePage {
    var writer = JSONWriter(reserving: 4_096)
    if !asLines {
      writer.beginObject()
      writer.member("zoneID", encoder.zoneID)
      writer.key("records")
      writer.beginArray()
    }
    var count = 0
    var last: Int64?
    var isMore = false
    let visit: (StoredRecord) throws -> Bool = { record in
      guard count < limit, count == 0 || writer.bytes.count < room else {
        isMore = true
        return false
      }
      last = record.sequence
      // A tombstone has no type on the wire, so no wish for types leaves it out.
      if let types, !record.isDeleted, !types.contains(record.type) { return true }
      encoder.write(record, to: &writer)
      if asLines { writer.endLine() }
      count += 1
      return true
    }
    let seen = given?.sequence ?? 0
    let next: ChangeToken
    if isReversed {
      next = try readReversed(zone, epoch, after: given, storage) { record in
        let goesOn = try visit(record)
        return (goesOn, last, isMore)
      }
    } else {
      try storage.changes(in: zone.number, after: seen, visit)
      next = ChangeToken(
        .zone, epoch: epoch.id, zone: seal.mark(zone.number),
        sequence: isMore ? last ?? seen : zone.sequence)
    }
    var page = ZonePage()
    page.next = next
    page.isMore = isMore
    page.hasNews = count > 0 || isMore || given == nil
    if asLines {
      if !isMore { writeEnd(next, encoder, to: &writer) }
    } else {
      writer.endArray()
      writer.member("syncToken", next.text)
      writer.member("moreComing", isMore)
      if isReversed { writer.member("reverse", true) }
      writer.endObject()
    }
    page.json = writer.bytes
    return page
  }

  /// The last line: where the feed stands.
  private func writeEnd(
    _ next: ChangeToken, _ encoder: RecordEncoder, to writer: inout JSONWriter
  ) {
    writer.object {
      $0.member("zoneID", encoder.zoneID)
      $0.member("syncToken", next.text)
      $0.member("moreComing", false)
    }
    writer.endLine()
  }

  /// Newest first, down to what the reader had seen; the last page's token goes on forwards from
  /// where the zone stood when the first page was read.
  private func readReversed(
    _ zone: StoredZone, _ epoch: Epoch, after given: ChangeToken?,
    _ storage: any StorageReading,
    _ visit: (StoredRecord) throws -> (goesOn: Bool, last: Int64?, isMore: Bool)
  ) throws -> ChangeToken {
    let isMiddle = given?.feed == .zoneReversed
    let floor = isMiddle ? given?.floor ?? 0 : given?.sequence ?? 0
    let top = isMiddle ? given?.top ?? zone.sequence : zone.sequence
    let ceiling = isMiddle ? given?.sequence ?? .max : top + 1
    var state: (last: Int64?, isMore: Bool) = (nil, false)
    try storage.changesReversed(in: zone.number, before: ceiling) { record in
      guard record.sequence > floor else { return false }
      let step = try visit(record)
      state = (step.last, step.isMore)
      return step.goesOn
    }
    guard state.isMore else {
      return ChangeToken(.zone, epoch: epoch.id, zone: seal.mark(zone.number), sequence: top)
    }
    var next = ChangeToken(
      .zoneReversed, epoch: epoch.id, zone: seal.mark(zone.number), sequence: state.last ?? ceiling)
    next.floor = floor
    next.top = top
    return next
  }
}
