// Two libraries and a server as real processes, killed and stopped at random. They need no more from
// each other than a file and a socket, so what stands at the end was on the disk.

import Foundation
import TestKit
import Testing

/// `SKYROS_LONG=1` goes on for two minutes, the ordinary run for a few rounds.
@Suite(.serialized)
struct SyncKillTests {
  private static let isLong = ProcessInfo.processInfo.environment["SKYROS_LONG"] == "1"
  private static let ordinaryRounds = 5

  @Test func `kill -9 and stops at random lose nothing that was saved`() async throws {
    let seed = SeededGenerator.seed(
      standard: 11, environment: ProcessInfo.processInfo.environment)
    var random = SeededGenerator(seed: seed)
    let island = try Island()
    defer { island.leave() }
    let end = ContinuousClock.now + .seconds(120)
    var round = 0
    while Self.isLong ? ContinuousClock.now < end : round < Self.ordinaryRounds {
      round += 1
      try island.startWhatIsDown()
      for _ in 0..<Int.random(in: 1...3, using: &random) { try island.save(&random) }
      try island.harm(&random)
      for _ in 0..<Int.random(in: 0...2, using: &random) { try island.save(&random) }
    }
    try island.heal()
    let problems = try island.problems()
    #expect(problems.isEmpty, "SKYROS_SEED=\(seed), round \(round): \(problems)")
  }
}

extension SyncKillTests {
  @Test func `a library is signed in however its path is spelled`() throws {
    let island = try Island()
    defer { island.leave() }
    #expect(try island.spellings().map { $0.status } == [0, 0, 0, 0])
  }
}

/// A server, two libraries that sync with it, and what was acknowledged to the people at each.
private final class Island {
  private let home: URL
  private let people: [Program]
  private var watchers: [Running?] = [nil, nil]
  private var server: Serving?
  private var port = 0
  /// The records whose making was acknowledged.
  private var records: [String] = []
  /// Per record, how often each person's visit was acknowledged, and tried without an answer.
  private var visits: [String: (acknowledged: Int, unknown: Int)] = [:]
  /// What each person last wrote into the field of their own, and what may have been written since.
  private var notes: [String: [Set<String>]] = [:]
  private var count = 0

  private static let model = """
    skyros: 1
    types:
      Place:
        title: name
        fields:
          name: {type: text}
          visits: {type: counter}
          note0: {type: text}
          note1: {type: text}
    """

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(
      path: "skyros-island-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    people = [try Program(), try Program()]
    _ = try manage("user", "add", "mia")
    let tokens = try manage("token", "add", "--user", "mia", "--container", "iCloud.skyros")
    let tokenFile = home.appending(path: "tokens.json")
    try Data(tokens.output.utf8).write(to: tokenFile)
    try startServer()
    for person in people {
      let model = try person.file("model.yaml", Self.model)
      try Self.expectDone(try person.run("new", person.library, "--model", model))
      try Self.expectDone(
        try person.run(
          "sync", "setup", "http://127.0.0.1:\(port)", "--token-file", tokenFile.path()))
    }
    for number in 0..<2 {
      let made = try people[number].run("add", "Place", "name=first \(number)", "--json")
      try note(made: made)
      for person in people { try Self.expectDone(try person.run("sync")) }
    }
    try Self.expectDone(try people[0].run("sync"))
  }

  private static func expectDone(_ outcome: Program.Outcome) throws {
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: The processes

  private var store: String { "sqlite:\(home.appending(path: "service.sqlite").path())" }

  private static let serverProgram = URL(filePath: BuiltProgram.path("skyros-server"))

  private func manage(_ words: String...) throws -> Program.Outcome {
    let outcome = try Running(
      words + ["--store", store, "--json"], of: Self.serverProgram, input: nil,
      keepsInputOpen: false, environment: people[0].environment, folder: home
    ).end()
    try Self.expectDone(outcome)
    return outcome
  }

  /// Starts the server; on the port that it had before, once it had one.
  private func startServer() throws {
    let running = try Serving(
      Self.serverProgram,
      ["serve", "--listen", "127.0.0.1:\(port)", "--store", store, "--json"],
      environment: people[0].environment)
    let line = try running.firstLine()
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let url = try #require((object?["listening"] as? String).flatMap { URL(string: $0) })
    port = try #require(url.port)
    server = running
  }

  func startWhatIsDown() throws {
    if server == nil { try startServer() }
    for number in 0..<2 {
      if let watcher = watchers[number], watcher.isRunning { continue }
      watchers[number] = try people[number].start(["sync", "--watch", "--json"])
    }
    server?.signal(SIGCONT)
    for watcher in watchers { watcher?.signal(SIGCONT) }
  }

  /// Kills or stops one of the processes, wherever it is just now.
  func harm(_ random: inout SeededGenerator) throws {
    let isKill = Int.random(in: 0..<3, using: &random) > 0
    let victim = Int.random(in: 0..<3, using: &random)
    let signal = isKill ? SIGKILL : SIGSTOP
    guard victim < 2 else {
      server?.signal(signal)
      if isKill { endServer() }
      return
    }
    watchers[victim]?.signal(signal)
    if isKill {
      _ = try watchers[victim]?.end()
      watchers[victim] = nil
    }
  }

  /// Kills everything, and lets both sync in peace.
  func heal() throws {
    killAll()
    try startServer()
    for _ in 0..<2 {
      for person in people { try Self.expectDone(try person.run("sync", "--json")) }
    }
  }

  private func killAll() {
    for watcher in watchers {
      watcher?.signal(SIGKILL)
      _ = try? watcher?.end()
    }
    watchers = [nil, nil]
    server?.signal(SIGKILL)
    endServer()
  }

  private func endServer() {
    server?.wait()
    server = nil
  }

  func leave() {
    killAll()
    for folder in [home] + people.map(\.home) { try? FileManager.default.removeItem(at: folder) }
  }

  /// Syncs of one library, by other names of its folder.
  func spellings() throws -> [Program.Outcome] {
    let person = people[0]
    let name = URL(filePath: person.library).lastPathComponent
    let link = home.appending(path: "link").path()
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: person.library)
    return try [name, "./\(name)", person.library + "/", link].map {
      try person.run("sync", "--library", $0)
    }
  }

  // MARK: What people do

  /// One save by one person; now and then their program is killed while it saves.
  func save(_ random: inout SeededGenerator) throws {
    count += 1
    let number = Int.random(in: 0..<2, using: &random)
    let isKilled = Int.random(in: 0..<4, using: &random) == 0
    if !isKilled, Int.random(in: 0..<3, using: &random) == 0 {
      return try note(made: try people[number].run("add", "Place", "name=place \(count)", "--json"))
    }
    guard let record = records.randomElement(using: &random) else { return }
    let visit = Bool.random(using: &random)
    let text = "written \(count)"
    let running = try people[number].start(
      ["set", "Place", record, visit ? "visits+=1" : "note\(number)=\(text)", "--json"])
    if isKilled {
      // Some way into it: as far as it gets while another program starts and ends.
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        _ = try people[1 - number].run("types", "--json")
      }
      running.signal(SIGKILL)
    }
    let outcome = try running.end()
    // A record that the other made may not be here yet.
    if outcome.status == 3 { return }
    if outcome.status == 0 {
      if visit {
        visits[record, default: (0, 0)].acknowledged += 1
      } else {
        notes[record, default: [[], []]][number] = [text]
      }
    } else {
      try #require(isKilled, "\(outcome.errors)")
      if visit {
        visits[record, default: (0, 0)].unknown += 1
      } else {
        notes[record, default: [[], []]][number].insert(text)
        notes[record]?[number].insert("")
      }
    }
  }

  private func note(made outcome: Program.Outcome) throws {
    try Self.expectDone(outcome)
    records.append(try #require(try outcome.object()["id"] as? String))
  }

  // MARK: What must be true

  /// Both libraries are equal and hold all that was acknowledged; what is not so, as sentences.
  func problems() throws -> [String] {
    var problems: [String] = []
    var exports: [[String]] = []
    for (number, person) in people.enumerated() {
      let status = try person.run("status", "--json").object()
      if status["summary"] as? String != "succeeded" || status["pending"] as? Int != 0 {
        problems.append("library \(number): \(status)")
      }
      let doctor = try person.run("doctor", "--json")
      if doctor.status != 0 { problems.append("library \(number): \(doctor.output)") }
      exports.append(
        try person.run("export", "--type", "Place", "--format", "ndjson").lines.sorted())
    }
    if exports[0] != exports[1] { problems.append("not equal: \(exports)") }
    var found: [String: [String: Any]] = [:]
    for line in exports[0] {
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let id = object["_id"] as? String
      else { continue }
      found[id] = object
    }
    for record in records {
      guard let fields = found[record] else {
        problems.append("\(record) is gone")
        continue
      }
      let (acknowledged, unknown) = visits[record] ?? (0, 0)
      let counted = fields["visits"] as? Int ?? 0
      if !(acknowledged...acknowledged + unknown).contains(counted) {
        problems.append("\(record): \(counted) visits of \(acknowledged) and \(unknown) unknown")
      }
      for (number, possible) in (notes[record] ?? []).enumerated() where !possible.isEmpty {
        let shown = fields["note\(number)"] as? String ?? ""
        if !possible.contains(shown) {
          problems.append("\(record): note\(number) is \(shown), not one of \(possible)")
        }
      }
    }
    return problems
  }
}

/// A server, whose first line says where it listens.
private final class Serving {
  private let process = Process()
  private let output = Pipe()

  init(_ program: URL, _ words: [String], environment: [String: String]) throws {
    process.executableURL = program
    process.arguments = words
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Or a process started beside this one would hold the pipe open.
    for end in [output.fileHandleForReading, output.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    try process.run()
  }

  /// Waits for its first line; empty when it ended without one.
  func firstLine() throws -> String {
    var line = Data()
    while !line.contains(0x0A) {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      line += piece
    }
    return String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }
  func wait() { process.waitUntilExit() }
}
