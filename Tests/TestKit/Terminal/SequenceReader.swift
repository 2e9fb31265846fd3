// Takes a program's output apart into characters and control sequences. Written apart from the input
// parser of TerminalKit on purpose: a test must not repeat the opinion it tests.

/// Output bytes, item by item.
struct SequenceReader {
  enum Item {
    case scalar(Unicode.Scalar)
    case control(UInt8)
    case escape(UInt8)
    case csi(String, [Int], UInt8)
    case osc(String)
    case other(String)
  }

  private enum State { case ground, escape, charset, csi, osc, oscEscape }

  private var state = State.ground
  private var bytes: [UInt8] = []
  private var expected = 0

  mutating func take(_ byte: UInt8) -> Item? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .charset:
      state = .ground
      return nil
    case .csi: return csi(byte)
    case .osc:
      if byte == 0x07 { return finishOSC() }
      if byte == 0x1B { state = .oscEscape } else { bytes.append(byte) }
      return nil
    case .oscEscape: return finishOSC()
    }
  }

  private mutating func ground(_ byte: UInt8) -> Item? {
    if expected > 0 {
      bytes.append(byte)
      expected -= 1
      guard expected == 0 else { return nil }
      defer { bytes = [] }
      guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
        return .other("invalid UTF-8")
      }
      return .scalar(scalar)
    }
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case ..<0x20, 0x7F: return .control(byte)
    case ..<0x80: return .scalar(Unicode.Scalar(byte))
    case 0xC0...0xDF: expected = 1
    case 0xE0...0xEF: expected = 2
    case 0xF0...0xF7: expected = 3
    default: return .other("byte \(byte)")
    }
    bytes = [byte]
    return nil
  }

  private mutating func escape(_ byte: UInt8) -> Item? {
    bytes = []
    switch byte {
    case 0x5B: state = .csi
    case 0x5D: state = .osc
    case 0x28, 0x29: state = .charset
    default:
      state = .ground
      return .escape(byte)
    }
    return nil
  }

  private mutating func csi(_ byte: UInt8) -> Item? {
    guard (0x40...0x7E).contains(byte) else {
      bytes.append(byte)
      return nil
    }
    state = .ground
    defer { bytes = [] }
    let text = String(decoding: bytes, as: UTF8.self)
    let prefix = text.prefix { !$0.isNumber && $0 != ";" }
    let numbers = text.dropFirst(prefix.count).split(
      separator: ";", omittingEmptySubsequences: false)
    return .csi(String(prefix), numbers.map { Int($0.prefix { $0.isNumber }) ?? 0 }, byte)
  }

  private mutating func finishOSC() -> Item? {
    defer { bytes = [] }
    state = .ground
    return .osc(String(decoding: bytes, as: UTF8.self))
  }
}
