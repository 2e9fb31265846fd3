// What complete control sequences mean: keys, mouse reports, focus, answers. Sources: ECMA-48,
// ctlseqs of xterm, the kitty keyboard protocol. Pure.

/// A control sequence: what stands between its introducer and its final byte, and that byte.
struct ControlSequence {
  let parameters: [UInt8]
  let final: UInt8
  /// Numbers between semicolons; of `a:b` only a.
  ///
  /// Empty ones are 0.
  private let numbers: [Int]
  private let subnumbers: [[Int]]

  init(parameters: [UInt8], final: UInt8) {
    self.parameters = parameters
    self.final = final
    let digits = parameters.drop { $0 >= 0x3C }
    subnumbers = digits.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
      part.split(separator: 0x3A, omittingEmptySubsequences: false).map(Self.number)
    }
    numbers = subnumbers.map { $0.first ?? 0 }
  }

  /// Up to six digits; anything else counts as 0.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    guard digits.count <= 7, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  private var prefix: UInt8? { parameters.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil } }

  private func number(_ index: Int, else fallback: Int) -> Int {
    index < numbers.count && numbers[index] > 0 ? numbers[index] : fallback
  }

  private var modifiers: Key.Modifiers {
    Key.Modifiers(rawValue: UInt8((number(1, else: 1) - 1) & 7))
  }

  private var isRelease: Bool {
    subnumbers.count > 1 && subnumbers[1].count > 1 && subnumbers[1][1] == 3
  }

  /// What `CSI parameters final` says.
  var event: InputEvent {
    if prefix == 0x3C, final == 0x4D || final == 0x6D {
      return MouseReport.sgr(numbers, isRelease: final == 0x6D)
    }
    if prefix != nil { return answers ? reply : .ignored }
    if parameters.contains(where: { (0x20...0x2F).contains($0) }) {
      return final == 0x79 ? reply : .ignored
    }
    switch final {
    case 0x49: return .focus(true)
    case 0x4F: return .focus(false)
    case 0x5A: return .key(.backTab)
    case 0x7E: return tilde
    case 0x75: return isRelease ? .ignored : unicodeKey(number(0, else: 0), modifiers)
    case 0x52 where !(numbers.first == 1 && numbers.count == 2 && (2...8).contains(numbers[1])):
      return numbers.count == 2 ? reply : named
    case 0x63, 0x6E, 0x74: return reply
    default: return named
    }
  }

  /// Whether a sequence with a private prefix is an answer: device attributes, reports, modes.
  private var answers: Bool { [0x63, 0x6E, 0x75, 0x79, 0x52].contains(final) }

  private var reply: InputEvent {
    .reply(String(decoding: parameters + [final], as: UTF8.self))
  }

  private var named: InputEvent {
    guard !isRelease, let code = Self.letterCodes[final] else { return .ignored }
    return .key(Key(code, modifiers))
  }

  private static let letterCodes: [UInt8: Key.Code] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let tildeCodes: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14),
    28: .function(15), 29: .function(16), 31: .function(17), 32: .function(18),
    33: .function(19), 34: .function(20),
  ]

  private var tilde: InputEvent {
    guard !isRelease else { return .ignored }
    // xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~
    if number(0, else: 0) == 27 { return unicodeKey(number(2, else: 0), modifiers) }
    guard let code = Self.tildeCodes[number(0, else: 0)] else { return .ignored }
    return .key(Key(code, modifiers))
  }

  private func unicodeKey(_ number: Int, _ modifiers: Key.Modifiers) -> InputEvent {
    switch number {
    case 13, 57414: return .key(Key(.enter, modifiers))
    case 9: return .key(Key(.tab, modifiers))
    case 27: return .key(Key(.escape, modifiers))
    case 8, 127: return .key(Key(.backspace, modifiers))
    case 0..<32, 0xE000...0xF8FF: return .ignored
    default: break
    }
    guard let scalar = UInt32(exactly: number).flatMap({ Unicode.Scalar($0) }),
      !DisplayText.isControl(scalar.value)
    else { return .ignored }
    let character = Character(scalar)
    // Shift is already in the character where the keyboard has one for it.
    guard modifiers == .shift, let upper = character.uppercased().first else {
      return .key(Key(character, modifiers))
    }
    return .key(Key(upper))
  }

  /// What `SS3 final` says: cursor keys, F1 to F4, and the keypad in application mode.
  var applicationKey: InputEvent {
    let modifiers = Key.Modifiers(rawValue: UInt8((max(1, numbers.last ?? 1) - 1) & 7))
    if let code = Self.letterCodes[final] { return .key(Key(code, modifiers)) }
    switch final {
    case 0x4D: return .key(Key(.enter, modifiers))
    case 0x49: return .key(Key(.tab, modifiers))
    case 0x6A...0x79: return .key(Key(Character(Unicode.Scalar(final - 0x40)), modifiers))
    case 0x58: return .key(Key("=", modifiers))
    default: return .ignored
    }
  }
}

/// Mouse reports in their two forms.
enum MouseReport {
  /// Numbers of `CSI < button ; column ; row M`, counted from 1.
  static func sgr(_ numbers: [Int], isRelease: Bool) -> InputEvent {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return .ignored }
    let point = Point(column: numbers[1] - 1, row: numbers[2] - 1)
    return event(numbers[0], at: point, isRelease: isRelease)
  }

  /// The three bytes after `CSI M`: all shifted by 32.
  static func old(_ bytes: [UInt8]) -> InputEvent {
    guard bytes.allSatisfy({ $0 >= 32 }), bytes[1] > 32, bytes[2] > 32 else { return .ignored }
    let point = Point(column: Int(bytes[1]) - 33, row: Int(bytes[2]) - 33)
    let code = Int(bytes[0]) - 32
    return event(code, at: point, isRelease: code & 0x43 == 3)
  }

  private static func event(_ code: Int, at point: Point, isRelease: Bool) -> InputEvent {
    var modifiers: Key.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    if code & 64 != 0 {
      guard code & 3 < 2 else { return .ignored }
      let kind: InputEvent.Mouse.Kind = code & 3 == 0 ? .wheelUp : .wheelDown
      return .mouse(.init(kind, .none, at: point, modifiers))
    }
    guard code < 128 else { return .ignored }
    let buttons: [InputEvent.Mouse.Button] = [.left, .middle, .right, .none]
    let button = buttons[code & 3]
    let isDrag = code & 32 != 0
    let kind: InputEvent.Mouse.Kind = isRelease ? .release : isDrag ? .drag : .press
    return .mouse(.init(kind, button, at: point, modifiers))
  }
}
