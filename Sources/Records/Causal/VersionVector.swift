/// What a copy of a record has seen: per device, the highest stamp (invariants J1, J2).
///
/// A record travels whole, so a vector that covers a stamp covers all earlier ones of that device on
/// that record.
package struct VersionVector: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let device: DeviceID
    package var time: HybridTime

    package init(device: DeviceID, time: HybridTime) {
      self.device = device
      self.time = time
    }
  }

  package static let empty = VersionVector()

  /// Ascending by device, one entry a device.
  package private(set) var entries: [Entry] = []

  package init() {}

  package init(_ stamps: some Sequence<Stamp>) {
    for stamp in stamps { raise(to: stamp) }
  }

  package func covers(_ stamp: Stamp) -> Bool { time(of: stamp.device) >= stamp.time }

  /// Whether every entry of `other` is covered.
  package func covers(_ other: VersionVector) -> Bool {
    other.entries.allSatisfy { time(of: $0.device) >= $0.time }
  }

  /// The highest time seen of a device; zero if none was.
  package func time(of device: DeviceID) -> HybridTime {
    for entry in entries where entry.device == device { return entry.time }
    return .zero
  }

  package mutating func raise(to stamp: Stamp) {
    if let index = entries.firstIndex(where: { $0.device >= stamp.device }) {
      if entries[index].device == stamp.device {
        entries[index].time = max(entries[index].time, stamp.time)
      } else {
        entries.insert(Entry(device: stamp.device, time: stamp.time), at: index)
      }
    } else {
      entries.append(Entry(device: stamp.device, time: stamp.time))
    }
  }

  package mutating func merge(_ other: VersionVector) {
    for entry in other.entries { raise(to: Stamp(time: entry.time, device: entry.device)) }
  }
}
