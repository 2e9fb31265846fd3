// What a commit does to the order of a list: only the changed rows are looked at.

internal import Records

/// A list's order after some of its rows changed, and how it differs from the one before.
struct OrderChange {
  private(set) var order: RowOrder
  private(set) var diff = ListDiff()

  /// - Parameters:
  ///   - order: Before the change.
  ///   - changed: Every row that may be elsewhere now, with its place; no place if it left the list.
  init(
    _ order: RowOrder, changed: [UInt32: RowPlace?], plan: ListPlan, reading: Reading
  ) throws {
    if let position = try Self.unmoved(order, changed, plan: plan, reading: reading) {
      self.order = order
      diff.updated = [position]
      return
    }
    var oldPositions: [UInt32: Int] = [:]
    // Rows of the old order that did not change, without a copy of the whole where one row did.
    var rest = order
    for position in Self.positions(of: changed, in: order).reversed() {
      oldPositions[order[position]] = position
      rest.remove(at: position)
    }
    var arrivals: [(row: UInt32, place: RowPlace, gap: Int)] = []
    for (row, place) in changed {
      guard let place else { continue }
      arrivals.append((row, place, try reading.position(of: place, in: rest, plan: plan)))
    }
    arrivals.sort { a, b in a.gap == b.gap ? a.place.precedes(b.place, plan) : a.gap < b.gap }
    let departed = oldPositions.sorted { $0.value < $1.value }
    var oldGaps: [UInt32: Int] = [:]
    for (index, entry) in departed.enumerated() { oldGaps[entry.key] = entry.value - index }

    self.order = rest
    var lastKept = -1
    var lastGap = -1
    for (index, arrival) in arrivals.enumerated() {
      let position = arrival.gap + index
      self.order.insert(arrival.row, at: position)
      guard let old = oldPositions[arrival.row] else {
        diff.inserted.append(position)
        continue
      }
      diff.updated.append(position)
      if arrival.gap != lastGap { lastKept = -1 }
      lastGap = arrival.gap
      if oldGaps[arrival.row] == arrival.gap, old > lastKept {
        lastKept = old
      } else {
        diff.moved.append(ListDiff.Move(from: old, to: position))
      }
    }
    let staying = Set(arrivals.map(\.row))
    diff.removed = departed.filter { !staying.contains($0.key) }.map(\.value).reversed()
  }

  /// Where the one row stands that changed, if it stays there.
  ///
  /// The usual save: then a million numbers need not be copied to say so.
  private static func unmoved(
    _ order: RowOrder, _ changed: [UInt32: RowPlace?], plan: ListPlan, reading: Reading
  ) throws -> Int? {
    guard changed.count == 1, let (row, place) = changed.first, let place,
      let position = order.position(of: row)
    else { return nil }
    if position > 0 {
      guard let before = try reading.key(of: order[position - 1], plan: plan),
        before.precedes(place, plan)
      else { return nil }
    }
    if position + 1 < order.count {
      guard let after = try reading.key(of: order[position + 1], plan: plan),
        place.precedes(after, plan)
      else { return nil }
    }
    return position
  }

  /// Ascending.
  private static func positions(of changed: [UInt32: RowPlace?], in order: RowOrder) -> [Int] {
    if changed.count == 1, let row = changed.keys.first {
      return order.position(of: row).map { [$0] } ?? []
    }
    return order.indices.filter { changed[order[$0]] != nil }
  }
}

extension RowOrder {
  /// Where a row stands: sixteen at a glance, for a save looks through a million.
  func position(of row: UInt32) -> Int? {
    withUnsafeBufferPointer { rows in
      let wanted = SIMD16(repeating: row)
      let bytes = UnsafeRawBufferPointer(rows)
      var start = 0
      while start + 16 <= rows.count {
        let offset = start * MemoryLayout<UInt32>.stride
        let next = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
        if any(next .== wanted) { break }
        start += 16
      }
      return rows[start...].firstIndex(of: row)
    }
  }
}
