// Random histories of one record on several devices, made with the domain's own operations.

package import Records

/// Several copies of one record, written and joined at random.
package struct RandomHistory: Sendable {
  package private(set) var copies: [RecordState]
  package let type: RecordType
  private var clocks: [HybridClock]
  private let devices: [DeviceID]
  private var random: SeededGenerator
  private var now: Int64 = 1_000_000

  package init(seed: UInt64, devices count: Int) {
    random = SeededGenerator(seed: seed)
    devices = (1...count).map { DeviceID(rawValue: UInt64($0)) }
    clocks = devices.map { _ in HybridClock(last: .zero) }
    copies = devices.map { _ in RecordState() }
    type = Self.sampleType
  }

  /// One field of each way to settle.
  package static let sampleType: RecordType = {
    var type = RecordType(id: TypeID(trusted: "Note"))
    type.fields = [
      Field(id: FieldID(trusted: "title"), type: .text),
      Field(id: FieldID(trusted: "tags"), type: .tags),
      Field(id: FieldID(trusted: "count"), type: .counter),
      Field(id: FieldID(trusted: "body"), type: .longText, merge: .lines),
    ]
    return type
  }()

  /// Makes one random step on one random copy.
  package mutating func step() {
    now += Int64.random(in: 0...3, using: &random)
    let device = Int.random(in: 0..<copies.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: write(on: device)
    case 6:
      copies[device].delete(stamp: stamp(on: device))
    case 7:
      copies[device].revive(stamp: stamp(on: device))
    default:
      let other = Int.random(in: 0..<copies.count, using: &random)
      copies[device] = copies[device].joined(with: copies[other])
    }
  }

  private mutating func write(on device: Int) {
    let field = type.fields[Int.random(in: 0..<type.fields.count, using: &random)]
    // Two of them are one text to Unicode and two in their bytes.
    let words = ["a", "b", "\u{E9}", "e\u{301}"]
    let value: Value
    switch field.type {
    case .tags:
      value = .tags(nonEmpty: TagSet(words.filter { _ in Bool.random(using: &random) }))
    case .counter: value = .integer(Int64.random(in: -5...20, using: &random))
    case .longText:
      let lines = (0..<3).map { _ in words[Int.random(in: 0..<4, using: &random)] }
      value = .text(lines.joined(separator: "\n"))
    default: value = .text(words[Int.random(in: 0..<4, using: &random)])
    }
    copies[device].write(value, to: field, stamp: stamp(on: device))
  }

  /// A stamp as the store takes one; now and then the clock is wrong by hours.
  private mutating func stamp(on device: Int) -> Stamp {
    let skew: Int64 = Int.random(in: 0..<20, using: &random) == 0 ? 36_000_000 : 0
    let time = clocks[device].tick(milliseconds: now + skew, above: copies[device].vector)
    return Stamp(time: time, device: devices[device])
  }
}
