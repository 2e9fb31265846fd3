// How the bytes of a file stand for text, and telling it from the first of them.

/// An encoding that tables come in.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// As Microsoft's code page 932 has it.
  case shiftJIS = "shift_jis"
  case windows1252 = "windows-1252"
  case latin1 = "iso-8859-1"

  /// The encoding that a person names, in any of its usual spellings.
  package init?(named name: String) {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    switch plain {
    case "utf8", "utf8bom": self = .utf8
    case "utf16", "utf16le", "ucs2": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    case "shiftjis", "sjis", "mskanji", "cp932", "windows31j", "ms932": self = .shiftJIS
    case "windows1252", "cp1252", "ansi": self = .windows1252
    case "iso88591", "latin1", "l1": self = .latin1
    default: return nil
    }
  }

  /// Names to offer.
  package static var names: [String] { allCases.map(\.rawValue) }

  /// Tells the encoding from a file's first bytes; the more of them, the surer.
  package static func detect(_ head: [UInt8]) -> TextEncoding {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    if head.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    if head.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    if let wide = wideEncoding(head) { return wide }
    let (characters, broken) = head.withUnsafeBufferPointer {
      UTF8Check.census($0, isCut: head.count >= TableFormat.headBytes)
    }
    // A few broken bytes among many characters are a fault of their rows, not another encoding.
    if broken == 0 || characters >= 3 * broken { return .utf8 }
    return isShiftJIS(head) ? .shiftJIS : .windows1252
  }

  /// UTF-16 without a mark: delimiters and digits have a zero in one half.
  private static func wideEncoding(_ head: [UInt8]) -> TextEncoding? {
    guard head.count >= 4 else { return nil }
    var zeros = (even: 0, odd: 0)
    for (index, byte) in head.enumerated() where byte == 0 {
      if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let enough = max(1, head.count / 20)
    if zeros.odd >= enough, zeros.even * 10 < zeros.odd { return .utf16LittleEndian }
    if zeros.even >= enough, zeros.odd * 10 < zeros.even { return .utf16BigEndian }
    return nil
  }

  /// Whether all pairs exist in Shift JIS, and most are of the common half of it: accented Latin
  /// letters look like the rare half.
  private static func isShiftJIS(_ head: [UInt8]) -> Bool {
    var common = 0
    var rare = 0
    var index = 0
    while index < head.count {
      let byte = head[index]
      index += 1
      if byte < 0x80 || (0xA1...0xDF).contains(byte) { continue }
      guard index < head.count else { break }
      guard ShiftJIS.scalar(lead: byte, trail: head[index]) != nil else { return false }
      index += 1
      if byte < 0xA0 { common += 1 } else { rare += 1 }
    }
    return common > rare
  }
}
