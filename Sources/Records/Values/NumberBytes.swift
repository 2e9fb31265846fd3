// Numbers straight from bytes of UTF-8: what a bulk import spends its time on.

enum NumberBytes {
  /// A whole number of 64 bits, with an optional sign; nothing for anything else.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    var index = 0
    var isNegative = false
    if let first = bytes.first, first == 45 || first == 43 {
      isNegative = first == 45
      index = 1
    }
    guard index < bytes.count else { return nil }
    // Eighteen digits always fit.
    guard bytes.count - index <= 18 else { return Int64(String(decoding: bytes, as: UTF8.self)) }
    var number: Int64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- 48
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
      index += 1
    }
    return isNegative ? -number : number
  }

  /// A finite number: plain decimals of up to 15 digits exactly and fast, all others by the
  /// standard library.
  ///
  /// Both 10^n up to 22 and a whole number below 2^53 are exact doubles, so one division of the two
  /// is rounded once and right (Clinger, "How to Read Floating Point Numbers Accurately").
  static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var mantissa: Int64 = 0
    var digits = 0
    var fraction = 0
    var isFraction = false
    var isNegative = false
    for (index, byte) in bytes.enumerated() {
      let digit = byte &- 48
      if digit < 10 {
        mantissa = mantissa &* 10 &+ Int64(digit)
        digits += 1
        if isFraction { fraction += 1 }
        if digits > 15 { return slow(bytes) }
      } else if byte == 46, !isFraction {
        isFraction = true
      } else if index == 0, byte == 45 || byte == 43 {
        isNegative = byte == 45
      } else {
        return slow(bytes)
      }
    }
    guard digits > 0 else { return nil }
    let number = Double(mantissa) / powers[fraction]
    return isNegative && mantissa != 0 ? -number : number
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    NumberText.number(String(decoding: bytes, as: UTF8.self))
  }
}
