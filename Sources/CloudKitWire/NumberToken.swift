// One JSON number, read to the bit: integers in all 64 bits, doubles correctly rounded.

/// A number token at a place in a body.
struct NumberToken {
  /// A number longer than this is refused: nothing writes one but an attacker.
  static let lengthMax = 400

  private(set) var value: JSONValue
  /// The offset behind the token.
  private(set) var end: Int

  init(_ bytes: [UInt8], at start: Int) throws(MalformedMessage) {
    var scan = Scan(bytes: bytes, offset: start)
    let isNegative = scan.take(UInt8(ascii: "-"))
    let leading = scan.offset
    let digits = scan.digits()
    guard digits > 0 else { throw MalformedMessage("a number was expected", at: start) }
    guard digits == 1 || bytes[leading] != UInt8(ascii: "0") else {
      throw MalformedMessage("a number begins with zero", at: start)
    }
    var isWhole = true
    if scan.take(UInt8(ascii: ".")) {
      isWhole = false
      guard scan.digits() > 0 else { throw MalformedMessage("a number has no end", at: start) }
    }
    if scan.take(UInt8(ascii: "e")) || scan.take(UInt8(ascii: "E")) {
      isWhole = false
      if !scan.take(UInt8(ascii: "+")) { _ = scan.take(UInt8(ascii: "-")) }
      guard scan.digits() > 0 else { throw MalformedMessage("a number has no end", at: start) }
    }
    end = scan.offset
    guard end - start <= Self.lengthMax else {
      throw MalformedMessage("a number is too long", at: start)
    }
    if isWhole, let whole = Self.whole(bytes[leading..<end], isNegative: isNegative) {
      value = whole
      return
    }
    guard let double = Double(String(decoding: bytes[start..<end], as: UTF8.self)),
      double.isFinite
    else { throw MalformedMessage("a number is out of range", at: start) }
    value = .double(double)
  }

  /// Nil when 64 bits do not hold it; `-0` is a double, for an integer would lose its sign.
  private static func whole(_ digits: ArraySlice<UInt8>, isNegative: Bool) -> JSONValue? {
    // Eighteen digits can't overflow, and are what there is in practice.
    guard digits.count <= 19 else { return nil }
    var number: UInt64 = 0
    for digit in digits { number = number &* 10 &+ UInt64(digit - UInt8(ascii: "0")) }
    if isNegative {
      if number == 0 { return .double(-0.0) }
      guard number <= UInt64(Int64.max) + 1 else { return nil }
      return .int(Int64(truncatingIfNeeded: 0 &- number))
    }
    return number <= UInt64(Int64.max) ? .int(Int64(number)) : nil
  }

  private struct Scan {
    let bytes: [UInt8]
    var offset: Int

    mutating func take(_ byte: UInt8) -> Bool {
      guard offset < bytes.count, bytes[offset] == byte else { return false }
      offset += 1
      return true
    }

    mutating func digits() -> Int {
      let start = offset
      while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
      return offset - start
    }
  }
}
