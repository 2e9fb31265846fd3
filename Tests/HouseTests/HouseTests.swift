import Foundation
import Testing

/// The arrows of the house (DESIGN.md 1), read from the import lines themselves: the compiler's own
/// check lets through whatever is reachable by way of somebody else.
struct HouseTests {
  /// Per target, what it may import of ours and of others.
  ///
  /// Swift's own modules need no entry, but for Foundation, which is heavy and named where it is
  /// let in.
  static let mayImport: [String: Set<String>] = [
    "Records": [],
    "ModelFile": ["Records", "Yams"],
    "Wording": [],
    "RecordStore": ["Records", "ModelFile", "CPlatform", "GRDB", "GRDBSQLite", "Crypto"],
    "CloudKitWire": ["Crypto"],
    "RecordService": ["CloudKitWire", "CPlatform", "GRDB", "GRDBSQLite", "Crypto", "Logging"],
    "RecordServiceHTTP": [
      "CloudKitWire", "RecordService", "Foundation", "Hummingbird", "HummingbirdCore",
      "HummingbirdHTTP2", "HummingbirdTLS", "HTTPTypes", "Logging", "NIOCore", "NIOHTTPCompression",
      "NIOHTTP1", "NIOHTTP2", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "ServiceLifecycle",
    ],
    "Sync": ["Records", "ModelFile", "RecordStore", "CloudKitWire"],
    "SyncTransports": [
      "Sync", "CloudKitWire", "RecordService", "AsyncHTTPClient", "NIOCore", "NIOHTTP1",
      "NIOPosix", "NIOSSL",
    ],
    "UILoop": ["CPlatform"],
    "TerminalKit": ["UILoop", "CPlatform"],
    "CursesDriver": ["CNCurses", "CPlatform", "TerminalKit", "UILoop"],
    "ViewModels": ["Records", "ModelFile", "RecordStore", "Sync", "UILoop"],
    "Screens": [
      "Records", "ModelFile", "RecordStore", "Sync", "ViewModels", "TerminalKit", "UILoop",
      "Wording",
    ],
    "skyros": [
      "Records", "ModelFile", "RecordStore", "Sync", "SyncTransports", "ViewModels", "Screens",
      "TerminalKit",
      "CursesDriver", "UILoop", "CPlatform", "Wording", "ArgumentParser", "Logging",
    ],
    "skyros-server": [
      "CloudKitWire", "RecordService", "RecordServiceHTTP", "Wording", "ArgumentParser",
      "Foundation", "Logging", "NIOCore", "ServiceLifecycle", "UnixSignals",
    ],
  ]

  /// What comes with the toolchain and carries no policy.
  static let free: Set<String> = [
    "Swift", "Synchronization", "Observation", "Dispatch", "FoundationEssentials", "Glibc",
    "_Concurrency", "_StringProcessing", "RegexBuilder",
  ]

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: mayImport.keys.sorted())
  func `a target imports only what the house allows`(target: String) throws {
    let allowed = try #require(Self.mayImport[target])
    for file in try Self.swiftFiles(under: "Sources/\(target)") {
      for module in try Self.imports(of: file) where !Self.free.contains(module) {
        #expect(allowed.contains(module), "\(file.lastPathComponent) imports \(module)")
      }
    }
  }

  @Test func `the domain needs no more than FoundationEssentials`() throws {
    for file in try Self.swiftFiles(under: "Sources/Records") {
      let outside = try Self.imports(of: file).filter {
        !["Swift", "FoundationEssentials", "_StringProcessing"].contains($0)
      }
      #expect(outside.isEmpty, "\(file.lastPathComponent): \(outside)")
    }
  }

  @Test func `every target is in the table`() throws {
    let sources = Self.root.appending(path: "Sources")
    let targets = try FileManager.default.contentsOfDirectory(atPath: sources.path())
      .filter { !$0.hasPrefix(".") }
    let free: Set = ["CPlatform", "CNCurses", "skyros-bench"]
    for target in targets where !free.contains(target) {
      #expect(Self.mayImport[target] != nil, "\(target) has no row")
    }
  }

  @Test func `ncurses is called in one C file's room only`() throws {
    let sources = Self.root.appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where ["c", "h"].contains(file.pathExtension) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let includes = text.contains("<curses.h>") || text.contains("<ncurses")
      #expect(!includes || file.path().contains("/CNCurses/"), "\(file.lastPathComponent)")
    }
  }

  @Test func `no file is longer than 500 lines`() throws {
    for file in try Self.swiftFiles(under: "Sources") {
      let text = try String(contentsOf: file, encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 501, "\(file.lastPathComponent) has \(lines) lines")
    }
  }

  @Test func `the top level holds nothing but the five entries and dotfiles`() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "Resources", "README.md",
    ]
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.path())
    where !name.hasPrefix(".") {
      #expect(allowed.contains(name), "\(name) does not belong at the top")
    }
  }

  // MARK: Reading

  static func swiftFiles(under path: String) throws -> [URL] {
    let folder = root.appending(path: path)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let all = (files?.allObjects ?? []).compactMap { $0 as? URL }
    return all.filter { $0.pathExtension == "swift" }.sorted { $0.path() < $1.path() }
  }

  static func imports(of file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first,
        [
          "package", "internal", "private", "fileprivate", "public", "@preconcurrency",
          "@testable",
        ].contains(first) || first.hasPrefix("@_")
      { words.removeFirst() }
      guard words.first == "import", words.count >= 2 else { return nil }
      let kinds: Set = ["struct", "class", "enum", "func", "protocol", "typealias", "var"]
      let path = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return path.split(separator: ".").first.map(String.init)
    }
  }
}
