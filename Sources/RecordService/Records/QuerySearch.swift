// The records of one page of a query: from which records it chooses, and which it keeps in hand.

internal import CloudKitWire

/// One page of a query over some zones.
struct QuerySearch: Sendable {
  struct Hit: Sendable {
    var place: QueryPlace
    var record: StoredRecord
  }

  let type: String
  let match: QueryMatch
  let order: QueryOrder
  let after: QueryPlace?
  let limit: Int

  /// - Parameter scans: what had to be read record by record.
  func run(
    in zones: [StoredZone], _ storage: any StorageReading, noting scans: inout [QueryScan]
  ) throws -> [Hit] {
    var hits: [Hit] = []
    let fields = Set(match.fieldNames + order.fieldNames)
    let names = match.recordNames.map { names in
      Set(names.map(ExactName.init)).map(\.text).sorted(by: QueryOrder.precedes)
    }
    for zone in zones {
      if order.isByName, let after, QueryOrder.precedes(zone.name, after.zone) { continue }
      let isHere = after.map { $0.zone.isExactly(zone.name) } ?? false
      let start = order.isByName && isHere ? after?.name ?? "" : ""
      let scan = try candidates(names, in: zone, after: start, storage) { stored in
        let record = QueryRecord(stored, reading: fields)
        guard match.matches(record) else { return true }
        let hit = Hit(place: order.place(of: record, in: zone.name), record: stored)
        if let after, !order.isBefore(after, hit.place) { return true }
        hits.append(hit)
        if order.isByName { return hits.count < limit }
        // Sorted: what can't be on the page is dropped now and then, not at each step.
        if hits.count >= limit * 2 + 64 { keepBest(&hits) }
        return true
      }
      if let scan { scans.append(scan) }
      if order.isByName, hits.count >= limit { break }
    }
    if !order.isByName { keepBest(&hits) }
    return hits
  }

  /// The living records of the type by name: those of the names, those that an index names, or
  /// all.
  ///
  /// Tells of a scan that an index would have spared.
  private func candidates(
    _ names: [String]?, in zone: StoredZone, after start: String, _ storage: any StorageReading,
    _ body: (StoredRecord) throws -> Bool
  ) throws -> QueryScan? {
    if let names {
      for name in names where QueryOrder.precedes(start, name) && NameRules.isRecordName(name) {
        guard try visit(name, in: zone, storage, body) else { break }
      }
      return nil
    }
    guard let lookup = match.lookup else {
      try storage.records(of: type, in: zone.number, after: start, body)
      return nil
    }
    let index = try storage.indexes(of: type, in: zone.number).first {
      $0.field.isExactly(lookup.field)
    }
    // A field that nobody has ever written passes no such filter.
    guard try storage.fieldTypes(of: type, in: zone.number)[lookup.field] != nil else { return nil }
    var from = start
    if let index {
      guard
        try indexed(
          lookup.values, in: index, after: start, storage,
          { name in
            try visit(name, in: zone, storage, body)
          })
      else { return nil }
      if index.covers(start) { from = index.upTo }
    }
    var count = 0
    try storage.records(of: type, in: zone.number, after: from) { record in
      count += 1
      return try body(record)
    }
    return QueryScan(zone: zone, type: type, field: lookup.field, records: count)
  }

  /// False when the page has what it needs.
  private func visit(
    _ name: String, in zone: StoredZone, _ storage: any StorageReading,
    _ body: (StoredRecord) throws -> Bool
  ) throws -> Bool {
    guard let record = try storage.record(named: name, in: zone.number), !record.isDeleted,
      record.type == type
    else { return true }
    return try body(record)
  }

  /// The names that have one of the values, in their order, each once; false when the body had
  /// enough.
  private func indexed(
    _ values: [IndexedValue], in index: StoredIndex, after start: String,
    _ storage: any StorageReading, _ body: (String) throws -> Bool
  ) throws -> Bool {
    var goesOn = true
    if values.count == 1 {
      try storage.names(having: values[0], in: index.number, after: start) { name in
        goesOn = try body(name)
        return goesOn
      }
      return goesOn
    }
    var names: Set<ExactName> = []
    for value in Set(values) {
      try storage.names(having: value, in: index.number, after: start) { name in
        names.insert(ExactName(name))
        return true
      }
    }
    for name in names.map(\.text).sorted(by: QueryOrder.precedes) where goesOn {
      goesOn = try body(name)
    }
    return goesOn
  }

  private func keepBest(_ hits: inout [Hit]) {
    hits.sort { order.isBefore($0.place, $1.place) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}
