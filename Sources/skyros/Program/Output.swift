// Standard output: only ever data, written in blocks. A reader that went away, or a full disk, is an
// error of the write that noticed it. Any thread; one writes at a time.

internal import Glibc
internal import Records
internal import Synchronization

/// Standard output, buffered.
final class Output: Sendable {
  /// Bytes held back: large enough that a list of a million records is not a million system calls.
  private static let blockSize = 1 << 16

  private let buffer = Mutex<[UInt8]>([])
  /// How many elements of the JSON array that is being printed are out.
  private let elements = Mutex(0)

  /// Whether a person reads it on a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  func write(_ text: String) throws(Failure) { try write(text.utf8) }

  func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    try hold(Self.isTerminal ? Self.harmless(bytes) : Array(bytes))
  }

  /// Bytes as a terminal may get them: what stands in somebody's record must not steer it.
  ///
  /// In a pipe or a file they are left alone.
  static func harmless(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      // U+2400 and the pictures of the control characters behind it.
      case 0..<0x20 where byte != 10 && byte != 9: result += [0xE2, 0x90, 0x80 + byte]
      case 0x7F: result += [0xE2, 0x90, 0xA1]
      // U+0080 to U+009F: control characters too.
      case 0x80..<0xA0 where last == 0xC2:
        result.removeLast()
        result += "\u{FFFD}".utf8
      default: result.append(byte)
      }
      last = byte
    }
    return result
  }

  private func hold(_ bytes: [UInt8]) throws(Failure) {
    let block = buffer.withLock { buffer -> [UInt8] in
      buffer.append(contentsOf: bytes)
      guard buffer.count >= Self.blockSize else { return [] }
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    try Self.send(block)
  }

  func line(_ text: String) throws(Failure) {
    try write(text)
    try write("\n")
  }

  func line(_ json: JSON) throws(Failure) {
    var bytes: [UInt8] = []
    json.append(to: &bytes)
    bytes.append(10)
    try write(bytes)
  }

  /// Prints one element of a JSON array, on a line of its own.
  func element(_ json: JSON) throws(Failure) {
    let before = elements.withLock { count in
      defer { count += 1 }
      return count
    }
    var bytes = Array((before == 0 ? "[" : ",\n ").utf8)
    json.append(to: &bytes)
    try write(bytes)
  }

  /// Ends the array of the elements, or prints an empty one.
  func endArray() throws(Failure) {
    let count = elements.withLock { count in
      defer { count = 0 }
      return count
    }
    try write(count == 0 ? "[]\n" : "]\n")
  }

  /// Writes what is held back.
  ///
  /// Without it nothing is promised to be out.
  func flush() throws(Failure) {
    let block = buffer.withLock { buffer -> [UInt8] in
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    try Self.send(block)
  }

  private static func send(_ bytes: [UInt8]) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        sent += count
      } else if errno == EPIPE {
        throw .readerGone
      } else if errno != EINTR {
        throw .outputFailed(code: errno)
      }
    }
  }
}
