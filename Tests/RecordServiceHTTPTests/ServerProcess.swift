// `skyros-server`, as a person or a power cut meets it.

import CloudKitWire
import Foundation
import Synchronization
import Testing

/// `skyros-server serve`, as a process.
final class ServerProcess: Sendable {
  let url: String
  private let process: Mutex<Process?>

  /// Starts it and waits until it says where it listens.
  ///
  /// - Parameter log: the file for standard error; nil for that of the tests.
  init(_ path: String, _ more: String..., log: String? = nil) throws {
    let process = Process()
    process.executableURL = try Program.url()
    process.arguments =
      ["serve", "--listen", "127.0.0.1:0", "--store", "sqlite:\(path)", "--json"] + more
    let output = Pipe()
    process.standardOutput = output
    if let log {
      _ = FileManager.default.createFile(atPath: log, contents: nil)
      process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
    }
    try process.run()
    var line: [UInt8] = []
    while !line.contains(0x0A) {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      line += piece
    }
    var reader = JSONReader(Array(line.prefix { $0 != 0x0A }))
    url = try #require(try reader.readValue()["listening"]?.string)
    self.process = Mutex(process)
  }

  deinit { kill() }

  /// As a power cut would: no handler runs.
  func kill() { end(SIGKILL) }

  /// As an operator would; its exit status.
  @discardableResult
  func end(_ signal: Int32) -> Int32 {
    process.withLock { process in
      guard let running = process else { return -1 }
      Foundation.kill(running.processIdentifier, signal)
      running.waitUntilExit()
      process = nil
      return running.terminationStatus
    }
  }
}

/// One run of `skyros-server`.
struct Program {
  let status: Int32
  let output: String
  let error: String

  init(_ arguments: [String], input: String? = nil) throws {
    let process = Process()
    process.executableURL = try Self.url()
    process.arguments = arguments
    let (out, err, standardInput) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    process.standardInput = standardInput
    try process.run()
    if let input { standardInput.fileHandleForWriting.write(Data(input.utf8)) }
    try standardInput.fileHandleForWriting.close()
    // What these commands print fits a pipe.
    process.waitUntilExit()
    output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    error = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    status = process.terminationStatus
  }

  /// Standard output as JSON.
  var json: JSONValue {
    get throws {
      var reader = JSONReader(Array(output.utf8))
      return try reader.readValue()
    }
  }

  /// Built beside the tests.
  static func url() throws -> URL {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [
      folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
    ].map { $0.appending(path: "skyros-server") }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path()) },
      "skyros-server is not beside the tests: \(candidates.map { $0.path() })")
  }
}
