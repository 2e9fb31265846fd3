// `skyros-bench sync`: a library sent to a service and taken in by another one, over HTTP on loopback,
// by the programs that people run. Three processes share the processors of this machine: what is
// measured is the client and its server together.

import ArgumentParser
import FoundationEssentials
import Glibc
import RecordStore
import Records

struct SyncBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Measures a first sync of many records, out and in, and keys while it runs.")

  @Option(help: "CSV files to import; a type is made of each.") var csv: [String] = []
  @Option(help: "How many made-up records, without --csv.") var records = 150_000
  @Option(help: "Where libraries and the service are made anew.") var folder: String

  func run() async throws {
    mkdir(folder, 0o700)
    // Tokens are found by the folder of the state.
    setenv("XDG_STATE_HOME", folder, 1)
    setenv("XDG_CONFIG_HOME", folder, 1)
    let stage = SyncStage(folder: folder)
    try stage.clear()
    let files = try csv.isEmpty ? [madeUp()] : csv
    var figures = [try await stage.fill(files)]
    try stage.serve()
    defer { stage.close() }
    figures += try await stage.exportFigures()
    figures += try await stage.importFigures(records: figures[0])
    figures += try await stage.busyFigures()
    try stage.clear()
    Figure.show(figures)
  }

  private func madeUp() throws -> String {
    let path = "\(folder)/sync-\(records).csv"
    if access(path, F_OK) != 0 { try Make.write(records, seed: 1, to: path) }
    return path
  }
}

/// Libraries around one server.
final class SyncStage {
  private static let container = "iCloud.bench"
  private static let (down, up) = ("\u{1B}[B", "\u{1B}[A")
  private let folder: String
  private var server: RunningProgram?
  private var address = ""

  init(folder: String) { self.folder = folder }

  private func library(_ name: String) -> String { "\(folder)/sync-\(name).skyros" }
  private var store: String { "\(folder)/sync-service.sqlite" }
  private var tokens: String { "\(folder)/sync-tokens.json" }

  func clear() throws {
    for name in ["out", "in", "open"] { try Libraries.remove(library(name)) }
    for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
  }

  func close() { server?.stop() }

  private func skyros(_ name: String, _ words: String...) throws -> Programs.Run {
    try Programs.run([Programs.skyros, "--library", library(name)] + words)
  }

  private func inShell(_ command: String) throws {
    _ = try Programs.run(["/bin/sh", "-c", command])
  }

  // MARK: Before

  /// Imports the files; what that takes is the reference for taking the same records in by sync.
  func fill(_ files: [String]) async throws -> Figure {
    for name in ["out", "in", "open"] {
      _ = try Programs.run([Programs.skyros, "new", library(name)])
    }
    var time = 0.0
    for (number, file) in files.enumerated() {
      time += try skyros("out", "import", file, "--type", "Sync\(number)").milliseconds
    }
    let count = try await count(of: "out")
    return Figure(
      name: "import of \(count) records from files", ours: rate(count, time), unit: "records/s")
  }

  func serve() throws {
    let server = Programs.beside("skyros-server")
    try inShell("'\(server)' user add bench --store 'sqlite:\(store)' --json > /dev/null")
    try inShell(
      "'\(server)' token add --user bench --container \(Self.container) "
        + "--store 'sqlite:\(store)' --json > '\(tokens)'")
    let said = "\(folder)/sync-server.json"
    unlink(said)
    self.server = try RunningProgram([
      "/bin/sh", "-c",
      "exec '\(server)' serve --listen 127.0.0.1:0 --store 'sqlite:\(store)' --json > '\(said)'",
    ])
    for _ in 0..<500 {
      let line = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
      // {"listening":"http:\/\/127.0.0.1:40001"}
      if let found = line.split(separator: "\"").first(where: { $0.hasPrefix("http") }) {
        address = found.filter { $0 != "\\" }
        return
      }
      usleep(20_000)
    }
    throw BenchError.silent("the server")
  }

  private func setUp(_ name: String) throws {
    _ = try skyros(
      name, "sync", "setup", address, "--container", Self.container, "--token-file", tokens)
  }

  // MARK: Figures

  func exportFigures() async throws -> [Figure] {
    try setUp("out")
    let run = try skyros("out", "sync")
    let event = try await events(of: "out").first { $0.phase == .export }
    return [
      Figure(
        name: "export over HTTP", ours: rate(of: event, \.acknowledged), unit: "records/s",
        bound: .atLeast(10_000)),
      Figure(
        name: "the whole of it, with our own coming back",
        ours: rate(event?.counts.acknowledged ?? 0, run.milliseconds), unit: "records/s"),
      Figure(
        name: "anonymous memory while exporting", ours: run.anonymousMegabytes, unit: "MB",
        bound: .atMost(128)),
    ]
  }

  func importFigures(records reference: Figure) async throws -> [Figure] {
    try setUp("in")
    let run = try skyros("in", "sync")
    let event = try await events(of: "in").first { $0.phase == .import }
    return [
      Figure(
        name: "first sync over HTTP", ours: rate(of: event, \.received), unit: "records/s",
        reference: ("import of files", reference.ours), bound: .atLeast(20_000)),
      Figure(
        name: "anonymous memory while importing", ours: run.anonymousMegabytes, unit: "MB",
        bound: .atMost(128)),
    ]
  }

  /// Keys in an interface that takes all of it in meanwhile.
  func busyFigures() async throws -> [Figure] {
    try setUp("open")
    let session = try TerminalSession(
      [Programs.skyros, "--library", library("open")],
      environment: ["XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder], columns: 80, rows: 24)
    guard
      session.wait(for: Array("syncing".utf8), since: .now) != nil
        || session.wait(for: Array("import".utf8), since: .now) != nil
    else { throw BenchError.silent("a sync") }
    let wanted = try await count(of: "out")
    // A page of its own: lists move under the cursor while records come in.
    guard session.press("?") != nil else { throw BenchError.silent("the page of help") }
    var times: [Double] = []
    let library = try await Library.open(at: library("open"), surroundings: .system)
    while try await library.counts().values.reduce(0, +) < wanted {
      for _ in 0..<20 {
        guard let down = session.press(Self.down), let up = session.press(Self.up) else {
          throw BenchError.silent("a step")
        }
        times += [down, up]
        usleep(3_000)
      }
    }
    try await library.close()
    return [
      Figure(
        name: "key to repainted screen during a sync, p50", ours: percentile(50, of: times),
        unit: "ms"),
      Figure(
        name: "key to repainted screen during a sync, p99", ours: percentile(99, of: times),
        unit: "ms", bound: .atMost(16)),
    ]
  }

  // MARK: Reading

  private func events(of name: String) async throws -> [SyncEvent] {
    try await reading(name) { try await $0.events(limit: 20) }
  }

  private func count(of name: String) async throws -> Int {
    try await reading(name) { try await $0.counts().values.reduce(0, +) }
  }

  private func reading<Answer>(
    _ name: String, _ body: (Library) async throws -> Answer
  ) async throws -> Answer {
    let library = try await Library.open(at: library(name), surroundings: .system)
    let answer = try await body(library)
    try await library.close()
    return answer
  }

  private func rate(of event: SyncEvent?, _ count: (SyncCounts) -> Int) -> Double {
    guard let event, let end = event.endedAt else { return 0 }
    return rate(count(event.counts), Double(end - event.startedAt))
  }

  private func rate(_ count: Int, _ milliseconds: Double) -> Double {
    Double(count) * 1_000 / max(1, milliseconds)
  }
}
