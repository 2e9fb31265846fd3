// A real `skyros` on a pseudo-terminal, driven by keys and timed by what it writes.

import CPlatform
import FoundationEssentials
import Glibc

/// One run of a program on a pseudo-terminal.
final class TerminalSession {
  /// What a frame of ours ends with: the end of synchronized output.
  static let frameEnd = Array("\u{1B}[?2026l".utf8)

  let process: Int32
  private let control: Int32
  private(set) var bytesRead = 0

  /// - Parameter environment: What the program sees besides `TERM` and a UTF-8 locale.
  init(
    _ arguments: [String], environment: [String: String] = [:], columns: Int32 = 120,
    rows: Int32 = 36
  ) throws {
    var variables = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    variables.merge(environment) { $1 }
    var control: Int32 = -1
    let process = Self.withStrings(arguments) { argv in
      Self.withStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
        platform_pty_spawn(argv, envp, "/", columns, rows, &control)
      }
    }
    guard process > 0 else { throw BenchError.spawn(arguments.first ?? "", -process) }
    self.process = process
    self.control = control
  }

  deinit {
    _ = platform_send_signal(process, Int32(PLATFORM_HUP))
    platform_close(control)
    _ = platform_wait(process)
  }

  func send(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = platform_write_all(control, bytes, bytes.count)
  }

  /// Reads until the output holds `wanted` and then ends a frame; answers the milliseconds since
  /// `start`, or nothing after `limitMilliseconds`.
  func wait(
    for wanted: [UInt8], since start: ContinuousClock.Instant, limitMilliseconds: Double = 20_000
  ) -> Double? {
    var seen: [UInt8] = []
    var found: Double?
    while Self.elapsed(since: start) < limitMilliseconds {
      guard read(into: &seen, timeoutMilliseconds: found == nil ? 50 : 2) else {
        if found != nil { return found }
        continue
      }
      if seen.contains(wanted), seen.contains(Self.frameEnd) {
        found = found ?? Self.elapsed(since: start)
        if seen.suffix(Self.frameEnd.count).elementsEqual(Self.frameEnd) { return found }
      }
    }
    return found
  }

  /// Reads and throws away what comes until nothing has for `milliseconds`.
  func settle(milliseconds: Int64 = 150) {
    var ignored: [UInt8] = []
    while read(into: &ignored, timeoutMilliseconds: milliseconds) { ignored.removeAll() }
  }

  /// Types a key and waits for the frame that answers it.
  func press(_ key: String) -> Double? {
    let start = ContinuousClock.now
    send(key)
    return wait(for: Self.frameEnd, since: start, limitMilliseconds: 2_000)
  }

  /// Anonymous memory in kB.
  var anonymousKilobytes: Int { number(of: "RssAnon:", in: "/proc/\(process)/status") }
  /// Processor time of each living thread so far, in nanoseconds (proc(5), `schedstat`).
  ///
  /// The ticks of `stat` are drawn by lot: a wake-up of ten microseconds may count as ten
  /// milliseconds.
  var threadTimes: [String: Int] {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.reduce(into: [:]) { times, thread in
      let first = text(of: "\(tasks)/\(thread)/schedstat").split(separator: " ").first
      times[thread] = first.flatMap { Int($0) }
    }
  }

  static func elapsed(since start: ContinuousClock.Instant) -> Double {
    let time = ContinuousClock.now - start
    return Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
  }

  private func read(into bytes: inout [UInt8], timeoutMilliseconds: Int64) -> Bool {
    var entry = platform_poll_entry(fd: control, events: PLATFORM_READABLE, ready: 0)
    guard platform_poll(&entry, 1, timeoutMilliseconds * 1_000_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = platform_read(control, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytesRead += Int(count)
    bytes.append(contentsOf: buffer[..<Int(count)])
    return true
  }

  private func number(of name: String, in file: String) -> Int {
    for line in text(of: file).split(separator: "\n") where line.hasPrefix(name) {
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return 0
  }

  private func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  private static func withStrings<T>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
  ) -> T {
    let copies = strings.map { UnsafePointer(strdup($0)) }
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    return (copies + [nil]).withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an empty argument list") }
      return body(base)
    }
  }
}

/// What stops a measurement.
enum BenchError: Error, CustomStringConvertible {
  case spawn(String, Int32)
  case silent(String)
  case failed(String)

  var description: String {
    switch self {
    case .spawn(let program, let code): "can't start \(program): \(String(cString: strerror(code)))"
    case .silent(let what): "\(what) did not appear on the screen"
    case .failed(let what): what
    }
  }
}

extension Array where Element == UInt8 {
  func contains(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard count >= needle.count else { return false }
    return indices.dropLast(needle.count - 1).contains { index in
      self[index] == first && self[index..<index + needle.count].elementsEqual(needle)
    }
  }
}
