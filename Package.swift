// swift-tools-version: 6.2

// The house, one target a room. What each is for and what it may import: README.md;
// Tests/HouseTests reads the import lines and holds the arrows.

import PackageDescription

let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: house)
}

// Compiled into the program, which can then be moved.
let embedded: [Resource] =
  [
    "default", "contacts", "field-notes", "inventory", "places", "reading", "tasks", "demo",
  ].map { .embedInCode("../../Resources/templates/\($0).yaml") }
  + [.embedInCode("../../Resources/samples/cities.csv")]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
  name: "skyros",
  products: [
    .executable(name: "skyros", targets: ["skyros"]),
    .executable(name: "skyros-server", targets: ["skyros-server"]),
    .executable(name: "skyros-bench", targets: ["skyros-bench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The domain.
    room("Records"),
    .target(
      name: "ModelFile",
      dependencies: ["Records", "Yams"],
      resources: embedded,
      swiftSettings: house),
    room("Wording"),
    room("RecordStore", ["Records", "ModelFile", "CPlatform", grdb, sqlite, crypto]),

    // The service.
    room("CloudKitWire", [crypto]),
    room("RecordService", ["CloudKitWire", "CPlatform", grdb, crypto, log]),
    room(
      "RecordServiceHTTP",
      [
        "CloudKitWire", "RecordService", lifecycle, log,
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ]),

    // Sync.
    room("Sync", ["Records", "ModelFile", "RecordStore", "CloudKitWire"]),
    room(
      "SyncTransports",
      [
        "Sync", "CloudKitWire", "RecordService",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),

    // The terminal.
    .target(
      name: "CPlatform",
      cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [.linkedLibrary("z")]),
    room("UILoop", ["CPlatform"]),
    room("TerminalKit", ["UILoop", "CPlatform"]),
    .target(
      name: "CNCurses",
      cSettings: [.define("_GNU_SOURCE"), .define("NCURSES_WIDECHAR", to: "1")],
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    room("CursesDriver", ["CNCurses", "CPlatform", "TerminalKit", "UILoop"]),

    // What a person does, and sees.
    room("ViewModels", ["Records", "ModelFile", "RecordStore", "Sync", "UILoop"]),
    room(
      "Screens",
      [
        "Records", "ModelFile", "RecordStore", "Sync", "ViewModels", "TerminalKit", "UILoop",
        "Wording",
      ]),

    // The programs.
    .executableTarget(
      name: "skyros",
      dependencies: [
        "Records", "ModelFile", "RecordStore", "Sync", "SyncTransports", "ViewModels", "Screens",
        "TerminalKit", "CursesDriver", "UILoop", "CPlatform", "Wording", arguments, log,
      ],
      swiftSettings: house),
    .executableTarget(
      name: "skyros-server",
      dependencies: [
        "CloudKitWire", "RecordService", "RecordServiceHTTP", arguments, lifecycle, log,
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: house),
    .executableTarget(
      name: "skyros-bench",
      dependencies: [
        "Records", "ModelFile", "RecordStore", "RecordService", "RecordServiceHTTP",
        "CloudKitWire", "ViewModels", "Screens", "TerminalKit", "CursesDriver", "UILoop",
        "CPlatform", arguments, grdb, sqlite, log,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: house),

    // The tests.
    .target(
      name: "TestKit",
      dependencies: ["Records", "ModelFile", "RecordStore", "TerminalKit", "UILoop", "CPlatform"],
      path: "Tests/TestKit",
      exclude: ["Simulation"],
      swiftSettings: house),
    // Apart, so that the tests of the terminal need not wait for sync.
    .target(
      name: "SimulationKit",
      dependencies: [
        "TestKit", "Sync", "SyncTransports", "RecordService", "RecordStore", "Records",
        "CloudKitWire", grdb,
      ],
      path: "Tests/TestKit/Simulation",
      swiftSettings: house),
    .executableTarget(
      name: "Simulator",
      dependencies: ["SimulationKit"],
      path: "Tests/Simulator",
      swiftSettings: house),
    tests("HouseTests", []),
    tests("RecordsTests", ["Records", "TestKit"]),
    tests("ModelFileTests", ["ModelFile", "Records"]),
    tests("WordingTests", ["Wording"]),
    // Makes the n-th file operation of the test program fail.
    .target(name: "CFileFaults", path: "Tests/CFileFaults"),
    tests(
      "RecordStoreTests", ["RecordStore", "ModelFile", "Records", "TestKit", "CFileFaults", grdb]),
    tests("CloudKitWireTests", ["CloudKitWire", crypto]),
    tests("RecordServiceTests", ["RecordService", "CloudKitWire", crypto]),
    tests(
      "RecordServiceHTTPTests",
      [
        "skyros-server", "RecordServiceHTTP", "RecordService", "CloudKitWire", log,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .executableTarget(
      name: "TerminalProbe",
      dependencies: ["TerminalKit", "CursesDriver", "UILoop"],
      path: "Tests/TerminalProbe",
      swiftSettings: house),
    tests(
      "TerminalKitTests",
      ["TerminalKit", "CursesDriver", "UILoop", "CPlatform", "TestKit", "TerminalProbe"]),
    tests("SyncTests", ["Sync", "RecordStore", "Records", "CloudKitWire", "TestKit"]),
    tests(
      "SyncTransportsTests",
      [
        "SyncTransports", "Sync", "RecordService", "RecordServiceHTTP", "RecordStore", "Records",
        "CloudKitWire", "TestKit", "SimulationKit", log,
      ]),
    tests(
      "ViewModelsTests",
      [
        "ViewModels", "Sync", "SyncTransports", "RecordService", "RecordStore", "Records",
        "UILoop", "TestKit",
      ]),
    tests(
      "ScreensTests",
      [
        "Screens", "ViewModels", "TerminalKit", "Sync", "RecordStore", "Records", "UILoop",
        "Wording", "TestKit",
      ]),
    tests("ProgramTests", ["TestKit", "Records", "CPlatform"]),
  ],
  swiftLanguageModes: [.v6]
)
