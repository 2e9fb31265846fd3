// From text to what is drawn: the one place where untrusted text becomes cells. It
// never touches a stored value. Two duties at once:
//
// Safe: no control, escape, bidi override or invisible character ever reaches the terminal; a
// visible symbol stands for it (reference: terminal notes 9).
// Straight: what terminals disagree about (joiners, variation selectors, skin tones, keycaps,
// conjoining jamo, marks without a base) is drawn so that all agree on the columns
// (terminal notes 4).
//
// Pure; any thread.

/// The glyphs that a grapheme cluster is drawn as.
package enum DisplayText {
  /// What stands for an invisible or direction-changing character.
  package static let hiddenMark: UInt32 = 0xB7  // ·
  static let replacement: UInt32 = 0xFFFD
  static let dottedCircle: UInt32 = 0x25CC

  /// Calls `body` for each glyph of the cluster, left to right.
  package static func glyphs(of character: Character, _ body: (Glyph) -> Void) {
    if let byte = character.asciiValue, character != "\r\n" {
      body(Glyph(base: picture(of: UInt32(byte))))
      return
    }
    var builder = GlyphBuilder()
    for scalar in character.unicodeScalars { builder.add(scalar, body) }
    builder.finish(body)
  }

  /// Calls `body` for each glyph of the text, left to right.
  package static func glyphs(of text: some StringProtocol, _ body: (Glyph) -> Void) {
    if SimpleText.columns(text) != nil {
      for scalar in text.unicodeScalars {
        body(Glyph(base: scalar.value, columns: SimpleText.columns(scalar)))
      }
      return
    }
    for character in text { glyphs(of: character, body) }
  }

  /// The text as it is drawn: what a snapshot or a screen reader sees.
  package static func shown(_ text: some StringProtocol) -> String {
    var result = ""
    glyphs(of: text) { $0.append(to: &result) }
    return result
  }

  /// ASCII as it is, a control character as its picture.
  static func picture(of value: UInt32) -> UInt32 {
    if value < 0x20 { return 0x2400 + value }
    return value == 0x7F ? 0x2421 : value
  }

  static func isControl(_ value: UInt32) -> Bool {
    value < 0x20 || (value >= 0x7F && value < 0xA0)
  }

  /// Characters that show nothing, or change how others are shown.
  static func isFormat(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0xA0: return false
    case 0x00AD, 0x034F, 0x061C, 0x180E: return true
    case 0x115F, 0x1160, 0x3164, 0xFFA0: return true  // Hangul fillers: blank letters
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: return true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: return true
    case 0x2000...0x2FFF, 0x3000...0xD7FF: return false
    default: return scalar.properties.generalCategory == .format
    }
  }
}
