// Registers: what every field of a record is made of (invariants J1 to J3).

/// What a register belongs to.
package enum RegisterKey: Hashable, Sendable {
  /// Whether the record is there or deleted (J4).
  case existence
  /// A field's value.
  case field(FieldID)
  /// Whether one element (a tag, a record id's text) is in a field that settles by union (J5).
  case element(FieldID, ExactText)
  /// What one device added to a counter (J5).
  case share(FieldID, DeviceID)

  /// The field it belongs to; nothing for existence.
  package var field: FieldID? {
    switch self {
    case .existence: nil
    case .field(let field), .element(let field, _), .share(let field, _): field
    }
  }

  /// Whether it is an element or a share of a field.
  func isPart(of field: FieldID) -> Bool {
    switch self {
    case .element(field, _), .share(field, _): true
    default: false
    }
  }
}

/// What a register holds.
package enum Payload: Hashable, Sendable {
  case value(Value)
  /// An element's presence.
  case present(Bool)
  /// The record is there.
  case alive
  /// The record was deleted by someone who had seen this much of it.
  case deleted(seen: VersionVector)
}

/// One write that no later write has replaced yet.
package struct Sibling: Hashable, Sendable {
  package let stamp: Stamp
  package let payload: Payload
  /// What the writer saw before: the common ancestor to compare with.
  ///
  /// It travels with the sibling; two copies of one sibling may differ in having it, and the join
  /// keeps it where one does.
  package var base: Value?

  package init(stamp: Stamp, payload: Payload, base: Value? = nil) {
    self.stamp = stamp
    self.payload = payload
    self.base = base
  }

  package var value: Value {
    if case .value(let value) = payload { value } else { .empty }
  }
}

/// A winning write and, while writers disagree, its siblings.
///
/// Never empty, highest stamp first.
package struct Register: Hashable, Sendable {
  package private(set) var siblings: [Sibling]

  package init(_ sibling: Sibling) { siblings = [sibling] }

  /// Nothing for an empty list.
  package init?(_ siblings: [Sibling]) {
    guard !siblings.isEmpty else { return nil }
    self.siblings = siblings.sorted { $0.stamp > $1.stamp }
  }

  package var winner: Sibling { siblings[0] }

  /// Whether its writers disagree: more than one distinct payload (J3).
  package var isConflict: Bool {
    siblings.contains { $0.payload != siblings[0].payload }
  }

  /// The siblings of both sides that are in both or unseen by the other (J2).
  ///
  /// `nil` is a register that a side never had.
  static func join(
    _ a: Register?, _ seenByA: VersionVector, _ b: Register?, _ seenByB: VersionVector
  ) -> Register? {
    guard let a else { return b }
    guard let b else { return a }
    if a.siblings == b.siblings { return a }
    var kept: [Sibling] = []
    for sibling in a.siblings {
      if let twin = b.siblings.first(where: { $0.stamp == sibling.stamp }) {
        kept.append(Self.same(sibling, twin))
      } else if !seenByB.covers(sibling.stamp) {
        kept.append(sibling)
      }
    }
    for sibling in b.siblings
    where !a.siblings.contains(where: { $0.stamp == sibling.stamp })
      && !seenByA.covers(sibling.stamp)
    {
      kept.append(sibling)
    }
    // Each side claims to have replaced the other's writes: only a broken writer says so. The
    // highest stamp stands, so that the join stays total and a register is never empty.
    return Register(kept) ?? (a.winner.stamp > b.winner.stamp ? a : b)
  }

  /// Two copies of one write.
  ///
  /// They differ in more than the base only if a device id was cloned; then the greater payload
  /// stands, the same on every side.
  private static func same(_ a: Sibling, _ b: Sibling) -> Sibling {
    guard a.payload == b.payload else {
      return PayloadOrder.precedes(a.payload, b.payload) ? b : a
    }
    guard let baseOfA = a.base, let baseOfB = b.base else { return a.base == nil ? b : a }
    return PayloadOrder.precedes(.value(baseOfA), .value(baseOfB)) ? b : a
  }
}

/// A total order of payloads, of no meaning but that every device has the same one.
enum PayloadOrder {
  static func precedes(_ a: Payload, _ b: Payload) -> Bool {
    StateCodec.bytes(of: a).lexicographicallyPrecedes(StateCodec.bytes(of: b))
  }
}
