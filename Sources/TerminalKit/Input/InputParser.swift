// From bytes to events. Incremental: however the bytes are cut into reads, the events
// are the same. Sequences nobody knows are swallowed whole. A value without clock; the
// time-out that tells a lone Esc from the start of a sequence is a state the loop drives.
//
//          ┌────────── ground ──────────┐
//      UTF-8 lead                      ESC
//          ▼                            ▼
//       utf8(n left)   [─▶ csi   O─▶ ss3   ]P^_X─▶ string   other ─▶ Alt + key
//                       │
//                       ├─ 200~ ─▶ paste … ESC[201~
//                       ├─ M ─▶ three bytes of an old mouse report
//                       └─ [ ─▶ one letter (Linux console F1 to F5)

/// Takes the terminal's bytes apart.
package struct InputParser: Sendable {
  /// A pasted block beyond this is cut, and says so.
  package static let pasteBytesMax = 4 << 20
  /// A sequence longer than this is swallowed without being looked at.
  static let sequenceBytesMax = 256
  /// An answer of the terminal (a clipboard, a colour) longer than this is swallowed.
  static let replyBytesMax = 65_536

  enum State: Equatable, Sendable {
    case ground
    case utf8(left: Int, isAlt: Bool)
    case escape
    case csi
    case linuxFunction
    case oldMouse
    case ss3
    case string(sawEscape: Bool)
    case paste
  }

  private(set) var state = State.ground
  /// The bytes of the sequence so far, without its introducer.
  private(set) var collected: [UInt8] = []
  private var overflow = 0
  /// The last six bytes of a paste, to find its end.
  private var tail: UInt64 = 0

  package init() {}

  /// How long to wait for the next byte before calling ``timeOut()``; nil when nothing hangs.
  package var patience: Duration? {
    switch state {
    case .ground: nil
    // A person's Esc must not feel slow; a slow link must not tear an arrow key apart.
    case .escape, .csi, .ss3, .linuxFunction, .oldMouse, .utf8: .milliseconds(50)
    case .string: .milliseconds(500)
    case .paste: .seconds(5)
    }
  }

  /// Takes some bytes; returns the events that they complete.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      if state == .paste {
        // The bulk of a paste has no end mark in it.
        let room = max(0, Self.pasteBytesMax - collected.count)
        let bulk = rest.prefix(room).prefix { $0 != 0x7E }
        collected.append(contentsOf: bulk)
        for byte in bulk.suffix(6) { tail = tail << 8 | UInt64(byte) }
        rest = rest[bulk.endIndex...]
      }
      if let byte = rest.popFirst() { step(byte, &events) }
    }
    return events
  }

  /// No byte came in time: what hangs becomes what it is on its own.
  package mutating func timeOut() -> [InputEvent] {
    defer { reset() }
    switch state {
    case .ground: return []
    case .escape: return [.key(.escape)]
    case .csi: return [collected.isEmpty ? .key(Key("[", .alt)) : .ignored]
    case .ss3: return [collected.isEmpty ? .key(Key("O", .alt)) : .ignored]
    case .linuxFunction, .oldMouse, .utf8, .string: return [.ignored]
    case .paste: return [finishedPaste()]
    }
  }

  private mutating func reset() {
    state = .ground
    collected.removeAll(keepingCapacity: collected.capacity <= 4096)
    overflow = 0
    tail = 0
  }

  // MARK: One byte

  private mutating func step(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground: ground(byte, isAlt: false, &events)
    case .utf8(let left, let isAlt): continueUTF8(byte, left: left, isAlt: isAlt, &events)
    case .escape: escape(byte, &events)
    case .csi: csi(byte, &events)
    case .ss3: ss3(byte, &events)
    case .linuxFunction:
      let isFunction = (0x41...0x45).contains(byte)
      events.append(isFunction ? .key(Key(.function(Int(byte) - 0x40))) : .ignored)
      reset()
    case .oldMouse:
      collected.append(byte)
      guard collected.count == 3 else { return }
      events.append(MouseReport.old(collected))
      reset()
    case .string(let sawEscape): string(byte, sawEscape: sawEscape, &events)
    case .paste: paste(byte, &events)
    }
  }

  private mutating func ground(_ byte: UInt8, isAlt: Bool, _ events: inout [InputEvent]) {
    let modifiers: Key.Modifiers = isAlt ? .alt : []
    switch byte {
    case 0x1B:
      state = .escape
    case ..<0x20, 0x7F:
      events.append(.key(ControlKeys.key(byte, modifiers)))
      reset()
    case ..<0x80:
      events.append(.key(Key(Character(Unicode.Scalar(byte)), modifiers)))
      reset()
    case 0xC2...0xDF: beginUTF8(byte, left: 1, isAlt: isAlt)
    case 0xE0...0xEF: beginUTF8(byte, left: 2, isAlt: isAlt)
    case 0xF0...0xF4: beginUTF8(byte, left: 3, isAlt: isAlt)
    default:
      events.append(.ignored)
      reset()
    }
  }

  private mutating func beginUTF8(_ byte: UInt8, left: Int, isAlt: Bool) {
    collected = [byte]
    state = .utf8(left: left, isAlt: isAlt)
  }

  private mutating func continueUTF8(
    _ byte: UInt8, left: Int, isAlt: Bool, _ events: inout [InputEvent]
  ) {
    guard byte & 0xC0 == 0x80 else {
      events.append(.ignored)
      reset()
      return ground(byte, isAlt: false, &events)
    }
    collected.append(byte)
    guard left == 1 else {
      state = .utf8(left: left - 1, isAlt: isAlt)
      return
    }
    let text = String(validating: collected, as: UTF8.self)
    let isC1 = text?.unicodeScalars.first.map { $0.value < 0xA0 } ?? false
    if let character = text?.first, !isC1 {
      events.append(.key(Key(character, isAlt ? .alt : [])))
    } else {
      events.append(.ignored)
    }
    reset()
  }

  private mutating func escape(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x5B: state = .csi
    case 0x4F: state = .ss3
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F: state = .string(sawEscape: false)
    case 0x1B: events.append(.key(.escape))
    default: ground(byte, isAlt: true, &events)
    }
  }

  private mutating func csi(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x5B where collected.isEmpty:
      state = .linuxFunction
    case 0x20...0x3F:
      if collected.count < Self.sequenceBytesMax { collected.append(byte) } else { overflow += 1 }
    case 0x40...0x7E:
      if byte == 0x4D, collected.isEmpty {
        state = .oldMouse
      } else if byte == 0x7E, collected == Array("200".utf8) {
        reset()
        state = .paste
      } else {
        let sequence = ControlSequence(parameters: collected, final: byte)
        events.append(overflow > 0 ? .ignored : sequence.event)
        reset()
      }
    default:
      // A control character cannot be part of it: the sequence was torn.
      events.append(.ignored)
      reset()
      ground(byte, isAlt: false, &events)
    }
  }

  private mutating func ss3(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x30...0x3B where collected.count < Self.sequenceBytesMax:
      collected.append(byte)
    case 0x40...0x7E, 0x20...0x3F:
      events.append(ControlSequence(parameters: collected, final: byte).applicationKey)
      reset()
    default:
      events.append(.ignored)
      reset()
      ground(byte, isAlt: false, &events)
    }
  }

  /// OSC, DCS, SOS, PM, APC: up to BEL or ESC \.
  private mutating func string(_ byte: UInt8, sawEscape: Bool, _ events: inout [InputEvent]) {
    if byte == 0x07 || (sawEscape && byte == 0x5C) {
      let reply = InputEvent.reply(String(decoding: collected, as: UTF8.self))
      events.append(overflow > 0 ? .ignored : reply)
      reset()
    } else if sawEscape {
      // Another sequence begins: the string was never closed.
      events.append(.ignored)
      reset()
      escape(byte, &events)
    } else if byte == 0x1B {
      state = .string(sawEscape: true)
    } else if byte == 0x18 || byte == 0x1A {
      events.append(.ignored)
      reset()
    } else if collected.count < Self.replyBytesMax {
      collected.append(byte)
    } else {
      overflow += 1
    }
  }

  // MARK: Paste

  /// The bytes of `ESC [ 2 0 1 ~`.
  private static let pasteEnd: UInt64 = 0x1B5B_3230_317E

  private mutating func paste(_ byte: UInt8, _ events: inout [InputEvent]) {
    tail = (tail << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
    if collected.count < Self.pasteBytesMax + 6 { collected.append(byte) } else { overflow += 1 }
    guard tail == Self.pasteEnd else { return }
    // The end mark's bytes were collected, or counted as dropped, like all others.
    let counted = min(overflow, 6)
    overflow -= counted
    collected.removeLast(6 - counted)
    events.append(finishedPaste())
    reset()
  }

  private func finishedPaste() -> InputEvent {
    var bytes = collected
    var dropped = overflow
    if bytes.count > Self.pasteBytesMax {
      dropped += bytes.count - Self.pasteBytesMax
      bytes.removeLast(bytes.count - Self.pasteBytesMax)
    }
    if bytes.contains(0x0D) { bytes = Self.unifyingLineEnds(bytes) }
    return .paste(
      InputEvent.Paste(String(decoding: bytes, as: UTF8.self), droppedBytes: dropped))
  }

  private static func unifyingLineEnds(_ bytes: [UInt8]) -> [UInt8] {
    var unified: [UInt8] = []
    unified.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D {
        unified.append(0x0A)
      } else if byte != 0x0A || previous != 0x0D {
        unified.append(byte)
      }
      previous = byte
    }
    return unified
  }
}

/// The keys that old terminals send as control characters.
enum ControlKeys {
  static func key(_ byte: UInt8, _ modifiers: Key.Modifiers) -> Key {
    switch byte {
    case 0x00: return Key(" ", modifiers.union(.control))
    case 0x09: return Key(.tab, modifiers)
    case 0x0D: return Key(.enter, modifiers)
    case 0x1B: return Key(.escape, modifiers)
    case 0x08, 0x7F: return Key(.backspace, modifiers)
    case 0x01...0x1A:
      return Key(Character(Unicode.Scalar(byte + 0x60)), modifiers.union(.control))
    default:
      return Key(Character(Unicode.Scalar(byte + 0x40)), modifiers.union(.control))
    }
  }
}
