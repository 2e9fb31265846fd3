// What this program switches on in a terminal besides drawing, and how it is switched off again.
// Pure bytes.

/// Modes beyond those of terminfo; terminals that do not know them ignore them.
enum TerminalModes {
  /// Bracketed paste, focus reports, mouse buttons and drags in the SGR form.
  static let on = Array("\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let off = Array(
    "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?2026l".utf8)
  /// A frame between these is shown at once, not while it arrives.
  static let frameBegin = Array("\u{1B}[?2026h".utf8)
  static let frameEnd = Array("\u{1B}[?2026l".utf8)

  /// Asks for the background's colour, and then for the terminal's attributes, which every terminal answers: after
  /// that answer no other is to be expected.
  static let questions = Array("\u{1B}]11;?\u{1B}\\\u{1B}[c".utf8)

  /// What may be copied to the clipboard at most, in bytes: terminals drop longer sequences.
  static let clipboardBytesMax = 74_994

  /// OSC 52 with the text in base64, cut at ``clipboardBytesMax`` between characters.
  static func clipboard(_ text: String) -> [UInt8] {
    var kept = text
    if text.utf8.count > clipboardBytesMax {
      var count = 0
      kept = String(
        text.prefix { character in
          count += character.utf8.count
          return count <= clipboardBytesMax
        })
    }
    return Array("\u{1B}]52;c;".utf8) + base64(Array(kept.utf8)) + [0x07]
  }

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var value = group.reduce(0) { $0 << 8 | Int($1) }
      value <<= 8 * (3 - group.count)
      for position in 0..<4 {
        let isPadding = position > group.count
        result.append(isPadding ? 0x3D : alphabet[value >> (18 - 6 * position) & 63])
      }
    }
    return result
  }
}
