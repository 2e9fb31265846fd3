// A program on a terminal of its own, to be typed at and looked at. Blocking calls for a test's thread;
// waits are for something to be seen, never for time to pass.

internal import CPlatform
internal import TerminalKit

/// A child process on a pseudo-terminal.
package final class PseudoTerminal {
  package enum Failure: Error, CustomStringConvertible {
    case notStarted(Int32)
    case neverSeen(String, screen: String)
    case neverEnded(screen: String)

    package var description: String {
      switch self {
      case .notStarted(let code): "the program could not be started: \(code)"
      case .neverSeen(let wanted, let screen): "never saw \(wanted); the screen is:\n\(screen)"
      case .neverEnded(let screen): "the program did not end; the screen is:\n\(screen)"
      }
    }
  }

  package private(set) var screen: ScreenEmulator
  /// Everything that the program has sent.
  package private(set) var output: [UInt8] = []
  private let process: Int32
  private let control: Int32
  private var status: Int32?

  /// How long to wait for something before a test gives up.
  private static let patienceNanoseconds: UInt64 = 60_000_000_000

  /// Starts a program.
  ///
  /// Its environment holds only what is given, TERM and a UTF-8 locale.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    folder: String = "/", columns: Int = 80, rows: Int = 24
  ) throws {
    var names = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    names.merge(environment) { $1 }
    var control: Int32 = -1
    let process = Self.withTexts([executable] + arguments) { argv in
      Self.withTexts(names.map { "\($0)=\($1)" }.sorted()) { envp in
        platform_pty_spawn(argv, envp, folder, Int32(columns), Int32(rows), &control)
      }
    }
    guard process > 0 else { throw Failure.notStarted(process) }
    self.process = process
    self.control = control
    screen = ScreenEmulator(columns: columns, rows: rows)
  }

  deinit {
    if status == nil {
      platform_send_signal(process, 9)
      _ = platform_wait(process)
    }
    platform_close(control)
  }

  private static func withTexts(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers = texts.map { UnsafePointer<CChar>(platform_copy_text($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { platform_free_text(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return body(base)
    }
  }

  // MARK: Typing

  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = platform_write_all(control, bytes, bytes.count)
  }

  /// Keys by name: `j`, `C-s`, `Enter`, `Esc`, `Down`.
  package func press(_ names: String...) {
    for name in names {
      for key in Key.sequence(named: name) ?? [] { send(Self.bytes(of: key)) }
    }
  }

  private static func bytes(of key: Key) -> String {
    let names: [Key.Code: String] = [
      .enter: "\r", .tab: "\t", .escape: "\u{1B}", .backspace: "\u{7F}", .up: "\u{1B}[A",
      .down: "\u{1B}[B", .right: "\u{1B}[C", .left: "\u{1B}[D", .home: "\u{1B}[H",
      .end: "\u{1B}[F", .delete: "\u{1B}[3~", .insert: "\u{1B}[2~", .pageUp: "\u{1B}[5~",
      .pageDown: "\u{1B}[6~", .function(1): "\u{1B}OP",
    ]
    if key == .backTab { return "\u{1B}[Z" }
    let prefix = key.modifiers.contains(.alt) ? "\u{1B}" : ""
    if let known = names[key.code] { return prefix + known }
    guard case .character(let character) = key.code else { return "" }
    guard key.modifiers.contains(.control), let value = character.asciiValue else {
      return prefix + String(character)
    }
    return prefix + String(Character(Unicode.Scalar(value & 0x1F)))
  }

  package func paste(_ text: String) { send("\u{1B}[200~" + text + "\u{1B}[201~") }

  package func resize(columns: Int, rows: Int) {
    platform_pty_resize(control, Int32(columns), Int32(rows))
    screen.resize(columns: columns, rows: rows)
  }

  package func signal(_ number: Int32) { platform_send_signal(process, number) }

  package var processID: Int32 { process }

  // MARK: Looking

  /// Reads until the condition holds, and returns the screen's text.
  @discardableResult
  package func wait(
    for what: String, until isSeen: (ScreenEmulator) -> Bool
  ) throws -> String {
    let end = platform_monotonic_ns() + Self.patienceNanoseconds
    while true {
      if isSeen(screen) { return screen.text }
      guard platform_monotonic_ns() < end else {
        throw Failure.neverSeen(what, screen: screen.text)
      }
      if !readSome(), isSeen(screen) == false, ended() {
        throw Failure.neverSeen(what + " (the program ended)", screen: screen.text)
      }
    }
  }

  /// Reads until the text is on the screen.
  @discardableResult
  package func wait(for text: String) throws -> String {
    try wait(for: text) { $0.text.contains(text) }
  }

  /// Reads to the program's end: its exit status, or 128 + signal.
  package func waitForEnd() throws -> Int32 {
    let end = platform_monotonic_ns() + Self.patienceNanoseconds
    while !ended() {
      guard platform_monotonic_ns() < end else { throw Failure.neverEnded(screen: screen.text) }
      _ = readSome()
    }
    while readSome() {}
    return status ?? -1
  }

  private func ended() -> Bool {
    if status != nil { return true }
    let now = platform_wait_now(process)
    if now >= 0 { status = now }
    return status != nil
  }

  /// Waits a moment for output; whether there was any.
  private func readSome() -> Bool {
    var entry = platform_poll_entry(fd: control, events: PLATFORM_READABLE, ready: 0)
    guard platform_poll(&entry, 1, 20_000_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = platform_read(control, &buffer, buffer.count)
    guard count > 0 else { return false }
    let bytes = buffer.prefix(Int(count))
    output += bytes
    screen.feed(bytes)
    let answers = screen.takeAnswers()
    if !answers.isEmpty { send(answers) }
    return true
  }
}
