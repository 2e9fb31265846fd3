// The programs that the figures are measured on: our own, as people run it, and the sqlite3 shell as
// the reference. Each runs as a process, so that what is timed is what a person waits for.

import CPlatform
import FoundationEssentials
import Glibc

/// Runs programs and watches them.
enum Programs {
  /// The `skyros` beside this program: both come from one build.
  static var skyros: String { beside("skyros") }

  static func beside(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }

  /// What a run took and used.
  struct Run {
    let milliseconds: Double
    /// The most anonymous memory that was seen, in MB, sampled every 20 ms.
    let anonymousMegabytes: Double
  }

  /// Runs a program to its end, with its output thrown away.
  static func run(_ arguments: [String]) throws -> Run {
    let program = try RunningProgram(arguments)
    var pause: UInt32 = 500
    while try !program.hasEnded() {
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    return program.run
  }

  static func anonymousKilobytes(of process: Int32) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("RssAnon:") {
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return 0
  }
}

/// A program at work, with its output thrown away.
final class RunningProgram {
  private let arguments: [String]
  private let process: Int32
  private let start = ContinuousClock.now
  private var peak = 0
  private var milliseconds: Double?

  init(_ arguments: [String]) throws {
    self.arguments = arguments
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let copies = arguments.map { UnsafePointer(strdup($0)) }
    defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
    let process = (copies + [nil]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { platform_spawn($0, null, null, 2) } ?? -EINVAL
    }
    guard process > 0 else { throw BenchError.spawn(arguments[0], -process) }
    self.process = process
  }

  /// Looks whether it has ended, and how much memory it has; to be called every few milliseconds.
  func hasEnded() throws -> Bool {
    if milliseconds != nil { return true }
    let status = platform_wait_now(process)
    guard status >= 0 else {
      peak = max(peak, Programs.anonymousKilobytes(of: process))
      return false
    }
    milliseconds = TerminalSession.elapsed(since: start)
    guard status == 0 else {
      throw BenchError.failed("\(arguments.joined(separator: " ")) ended with \(status)")
    }
    return true
  }

  /// Asks it to end, and waits until it has.
  func stop() {
    guard milliseconds == nil else { return }
    _ = kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    milliseconds = TerminalSession.elapsed(since: start)
  }

  var run: Programs.Run {
    Programs.Run(
      milliseconds: milliseconds ?? TerminalSession.elapsed(since: start),
      anonymousMegabytes: Double(peak) / 1024)
  }
}
