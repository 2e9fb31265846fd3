import Foundation
import Testing

/// The built binary, run as a person's shell would run it: in a home of its own.
struct Program {
  /// What one run came to.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    /// Standard output as JSON.
    func json() throws -> Any {
      try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }

    func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }

    func objects() throws -> [[String: Any]] { try #require(try json() as? [[String: Any]]) }

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  let home: URL
  var library: String { home.appending(path: "test.skyros").path() }

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "skyros-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  /// Runs `body` in a new home, which is removed at the end.
  static func inNewHome(_ body: (Program) async throws -> Void) async throws {
    let program = try Program()
    defer { try? FileManager.default.removeItem(at: program.home) }
    try await body(program)
  }

  /// Runs `body` on a library with this model.
  static func withLibrary(
    _ model: String = Program.places, _ body: (Program) async throws -> Void
  ) async throws {
    try await inNewHome { program in
      let file = try program.file("model.yaml", model)
      let made = try program.run("new", program.library, "--model", file)
      try #require(made.status == 0, "\(made.errors)")
      try await body(program)
    }
  }

  /// Writes a file into the home; answers its path.
  func file(_ name: String, _ text: String) throws -> String {
    try file(name, Data(text.utf8))
  }

  func file(_ name: String, _ data: Data) throws -> String {
    let url = home.appending(path: name)
    try data.write(to: url)
    return url.path()
  }

  /// Runs the program to its end, on the test's library.
  func run(_ words: String..., input: String? = nil) throws -> Outcome {
    try start(words, input: input).end()
  }

  func run(words: [String], environment: [String: String] = [:]) throws -> Outcome {
    try start(words, environment: environment).end()
  }

  /// Starts the program without waiting for it.
  ///
  /// Without `input` its standard input is empty.
  func start(
    _ words: [String], input: String? = nil, keepsInputOpen: Bool = false,
    environment: [String: String] = [:]
  ) throws -> Running {
    try Running(
      words, input: input, keepsInputOpen: keepsInputOpen,
      environment: self.environment.merging(environment) { $1 }, folder: home)
  }

  /// Nothing of the person who runs the tests: not their home, language or time zone.
  var environment: [String: String] {
    [
      "HOME": home.path(), "XDG_DATA_HOME": home.appending(path: "data").path(),
      "XDG_CONFIG_HOME": home.appending(path: "config").path(),
      "XDG_STATE_HOME": home.appending(path: "state").path(),
      "SKYROS_LIBRARY": library, "LANG": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin",
      "USER": "tester",
    ]
  }

  /// The binary beside the test bundle.
  static let binary: URL = {
    let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let candidates = [bundle] + CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
    for folder in candidates.map({ $0.deletingLastPathComponent() }) {
      let binary = folder.appending(path: "skyros")
      if FileManager.default.isExecutableFile(atPath: binary.path()) { return binary }
    }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/debug/skyros")
  }()

  /// A model with a field of each kind that the command line reads differently.
  static let places = """
    skyros: 1
    types:
      Place:
        title: name
        list: [name, country, population]
        sort: name
        fields:
          name: {type: text, required: true, search: true}
          country: {type: text}
          population: {type: integer, min: 0}
          area: {type: number}
          price: {type: decimal}
          visited: {type: boolean}
          rating: {type: choice, of: [low, fair, good]}
          since: {type: date}
          seen: {type: dateTime}
          tags: {type: tags}
          visits: {type: counter}
          spot: {type: location}
          notes: {type: longText, search: true}
          site: {type: url}
          trip: {type: reference, to: Trip}
          photo: {type: attachment}
      Trip:
        title: name
        fields:
          name: {type: text}
    """
}

/// A process of the program.
final class Running {
  private let process = Process()
  private let inputPipe = Pipe()
  private let outputFile: URL
  private let errorFile: URL

  init(
    _ words: [String], of binary: URL = Program.binary, input: String?, keepsInputOpen: Bool,
    environment: [String: String], folder: URL
  ) throws {
    process.executableURL = binary
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = folder
    let name = UUID().uuidString
    outputFile = folder.appending(path: "\(name).out")
    errorFile = folder.appending(path: "\(name).err")
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    // Or a process started beside this one would hold the pipe open.
    for end in [inputPipe.fileHandleForReading, inputPipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    process.standardInput = input == nil && !keepsInputOpen ? FileHandle.nullDevice : inputPipe
    try process.run()
    if let input { try write(input) }
    if !keepsInputOpen && input != nil { closeInput() }
  }

  var isRunning: Bool { process.isRunning }

  func write(_ text: String) throws {
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Writes to standard input, and returns when the process has taken it.
  func writeUntilRead(_ text: String) async throws {
    try write(text)
    let pipe = inputPipe.fileHandleForWriting.fileDescriptor
    var waiting: Int32 = 1
    while process.isRunning, waiting > 0 {
      _ = ioctl(pipe, UInt(FIONREAD), &waiting)
      await Task.yield()
    }
  }

  func closeInput() { try? inputPipe.fileHandleForWriting.close() }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func end() throws -> Program.Outcome {
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return Program.Outcome(
      status: status, output: try Self.text(outputFile), errors: try Self.text(errorFile))
  }

  /// What it has written to standard output so far.
  var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

  /// The same of standard error.
  var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

  private static func text(_ file: URL) throws -> String {
    defer { try? FileManager.default.removeItem(at: file) }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
