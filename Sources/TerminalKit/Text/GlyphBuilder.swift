// The rules of the display transform, scalar by scalar within one grapheme cluster. Pure.

/// Collects one cluster's scalars into glyphs: a base, at most four marks each.
struct GlyphBuilder {
  private var current: Glyph?
  private var previous: Unicode.Scalar?
  private var jamo = JamoComposer()

  mutating func add(_ scalar: Unicode.Scalar, _ body: (Glyph) -> Void) {
    defer { previous = scalar }
    if jamo.take(scalar) { return }
    flushJamo(body)
    if isDropped(scalar) { return }
    if DisplayText.isControl(scalar.value) {
      let isC1 = scalar.value >= 0x80
      let shown = isC1 ? DisplayText.hiddenMark : DisplayText.picture(of: scalar.value)
      return begin(Glyph(base: shown), body)
    }
    if DisplayText.isFormat(scalar) {
      return begin(Glyph(base: DisplayText.hiddenMark), body)
    }
    switch TextWidth.scalar(scalar) {
    case 0: attach(scalar, body)
    case 1, 2: begin(Glyph(base: scalar.value, columns: TextWidth.scalar(scalar)), body)
    default: begin(Glyph(base: DisplayText.replacement), body)
    }
  }

  mutating func finish(_ body: (Glyph) -> Void) {
    flushJamo(body)
    if let last = current { body(last) }
    current = nil
  }

  private mutating func begin(_ glyph: Glyph, _ body: (Glyph) -> Void) {
    if let done = current { body(done) }
    current = glyph
  }

  /// A mark goes to its base; one without a base gets a dotted circle to sit on, so that it can't
  /// decorate a neighbour's cell.
  private mutating func attach(_ mark: Unicode.Scalar, _ body: (Glyph) -> Void) {
    if current == nil { begin(Glyph(base: DisplayText.dottedCircle), body) }
    current?.add(mark: mark.value)
  }

  private mutating func flushJamo(_ body: (Glyph) -> Void) {
    for scalar in jamo.flush() {
      let width = TextWidth.scalar(scalar)
      if width == 0 {
        attach(scalar, body)
      } else {
        begin(Glyph(base: scalar.value, columns: max(1, width)), body)
      }
    }
  }

  /// What only chooses another picture for the base before it.
  ///
  /// Terminals disagree on its columns, so the base is drawn alone.
  private func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    guard let previous else { return false }
    switch scalar.value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return true  // variation selectors
    case 0x20E3: return true  // keycap
    case 0x1F3FB...0x1F3FF: return previous.properties.isEmojiModifierBase
    case 0xE0020...0xE007F: return previous.value == 0x1F3F4 || isTag(previous)
    case 0x200C, 0x200D: return joins(previous)
    default: return false
    }
  }

  private func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0020...0xE007F).contains(scalar.value)
  }

  /// Whether a joiner after this scalar is ordinary writing: an emoji sequence, or a script that
  /// needs joiners.
  ///
  /// Elsewhere it only hides something, and is shown.
  private func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFE0F, 0x1F3FB...0x1F3FF: return true
    case 0x0600...0x08FF, 0x0900...0x0DFF, 0x0F00...0x109F, 0x1780...0x18AF: return true
    case ..<0x80: return false
    default: return scalar.properties.isEmoji
    }
  }
}

/// Puts conjoining jamo together to the syllable that every terminal draws in two columns.
private struct JamoComposer {
  private var pending: [Unicode.Scalar] = []

  /// Whether the scalar was taken; if not, ``flush()`` before going on.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x1112:
      guard pending.isEmpty else { return false }
      pending = [scalar]
      return true
    case 0x1161...0x1175:
      guard pending.count == 1 else { return false }
      pending.append(scalar)
      return true
    case 0x11A8...0x11C2:
      guard pending.count == 2 else { return false }
      pending.append(scalar)
      return true
    default:
      return false
    }
  }

  mutating func flush() -> [Unicode.Scalar] {
    defer { pending = [] }
    guard pending.count >= 2 else { return pending }
    // The arithmetic of the Unicode Standard, section 3.12.
    let lead = pending[0].value - 0x1100
    let vowel = pending[1].value - 0x1161
    let tail = pending.count == 3 ? pending[2].value - 0x11A7 : 0
    guard let syllable = Unicode.Scalar(0xAC00 + (lead * 21 + vowel) * 28 + tail) else {
      return pending
    }
    return [syllable]
  }
}
