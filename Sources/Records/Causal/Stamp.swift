// Stamps: when a value was written and by which device, in an order that all devices agree on.

/// The id of a device: one living copy of a library (invariant J6).
///
/// Never zero.
///
/// 63 random bits, so that it fits a SQLite INTEGER.
package struct DeviceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Makes a device id of random bits.
  package init(random: UInt64) { rawValue = max(1, random & 0x7FFF_FFFF_FFFF_FFFF) }

  /// 16 lower-case hexadecimal digits.
  package var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A reading of a hybrid logical clock: milliseconds since 1970 UTC in the upper 48 bits, a counter
/// in the lower 16. (Kulkarni et al., "Logical Physical Clocks", 2014.)
package struct HybridTime: Hashable, Sendable, Comparable {
  package let rawValue: UInt64

  package static let zero = HybridTime(rawValue: 0)
  /// The last reading there is, in the year 6429.
  ///
  /// No clock that counts milliseconds gives a later one, so bytes that name one are damaged.
  package static let last = HybridTime(rawValue: 0x7FFF_FFFF_FFFF_FFFF)

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The first reading of a millisecond.
  package init(milliseconds: Int64) {
    rawValue = UInt64(max(0, min(milliseconds, 0x7FFF_FFFF_FFFF))) << 16
  }

  package var milliseconds: Int64 { Int64(rawValue >> 16) }

  /// The next reading above this one, if it is not the last; the counter carries into the
  /// milliseconds.
  package var next: HybridTime { HybridTime(rawValue: min(rawValue, Self.last.rawValue - 1) + 1) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Who wrote a value and when.
///
/// The greater stamp is the later write; ties in time fall to the greater device id, so that the
/// order is total and the same everywhere (invariant J2).
package struct Stamp: Hashable, Sendable, Comparable {
  package let time: HybridTime
  package let device: DeviceID

  package init(time: HybridTime, device: DeviceID) {
    self.time = time
    self.device = device
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.time, a.device) < (b.time, b.device)
  }
}

/// The hybrid logical clock of one device.
///
/// A value: the reading of the wall clock is passed in.
package struct HybridClock: Sendable, Hashable {
  /// How far ahead of the reader's clock a stamp may be and still drag it along (invariant J7).
  package static let driftMaxMilliseconds: Int64 = 5 * 60 * 1000

  /// The highest time given so far.
  package private(set) var last: HybridTime

  package init(last: HybridTime) { self.last = last }

  /// Takes the next time: above every earlier one, and above those in `vector` that are not far
  /// ahead of the wall clock (invariant J1).
  ///
  /// - Parameter milliseconds: The wall clock, since 1970 UTC.
  package mutating func tick(milliseconds: Int64, above vector: VersionVector = .empty)
    -> HybridTime
  {
    let horizon = HybridTime(milliseconds: milliseconds + Self.driftMaxMilliseconds)
    var time = max(HybridTime(milliseconds: milliseconds), last.next)
    for entry in vector.entries where entry.time <= horizon && entry.time >= time {
      time = entry.time.next
    }
    last = time
    return time
  }
}
