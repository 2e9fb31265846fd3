import CloudKitWire
import Foundation
import RecordService
import RecordStore
import Records
import SimulationKit
import Sync
import SyncTransports
import Synchronization
import TestKit
import Testing

/// Attached files and long texts: they travel apart from their records, once, and whole.
struct AttachmentSyncTests {
  static let photo = FieldID(trusted: "photo")
  static let model: Model = {
    var type = World.type
    type.fields.append(Field(id: photo, type: .attachment))
    return Model(types: [type])
  }()

  static func world(devices: Int = 2) async throws -> World {
    try await World(devices: devices, models: Array(repeating: model, count: devices))
  }

  /// A file of that size that is not the same throughout.
  static func file(_ world: World, bytes: Int, seed: UInt8 = 7) throws -> String {
    let path = world.folder.appending(path: "file-\(seed)-\(bytes)").path()
    var word = UInt64(seed) | 1
    var content = Data(capacity: bytes)
    while content.count < bytes {
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      content.append(UInt8(truncatingIfNeeded: word >> 56))
    }
    #expect(FileManager.default.createFile(atPath: path, contents: content))
    return path
  }

  @discardableResult
  static func add(_ library: Library, _ path: String) async throws -> (RecordID, Records.Attachment)
  {
    let attachment = try await library.attach(path, name: "photo.jpg")
    let id = try await library.add(["name": .text("Kyoto"), "photo": .attachment(attachment)])
    return (id, attachment)
  }

  static func content(_ library: Library, _ attachment: Records.Attachment) throws -> Data {
    try Data(contentsOf: URL(filePath: try library.attachmentPath(attachment)))
  }

  @Test func `a file arrives with its record, to the byte`() async throws {
    let world = try await Self.world()
    defer { world.remove() }
    let path = try Self.file(world, bytes: 1_000_003)
    let (id, attachment) = try await Self.add(world.libraries[0], path)
    try await world.sync(0)
    #expect(try await world.sync(1) == .done)
    let copy = try #require(try await world.libraries[1].snapshot(World.place, id))
    #expect(copy.value(of: Self.photo) == .attachment(attachment))
    #expect(
      try Self.content(world.libraries[1], attachment)
        == Data(contentsOf: URL(filePath: path)))
    #expect(try await SyncStatus.read(world.libraries[1], now: 0).summary == .succeeded)
    try await world.expectConverged()
  }

  @Test func `one content is sent once, however many records have it`() async throws {
    let world = try await Self.world(devices: 1)
    defer { world.remove() }
    let path = try Self.file(world, bytes: 5_000)
    for _ in 0..<3 { try await Self.add(world.libraries[0], path) }
    let network = CountingNetwork(world.network)
    try await world.sync(0, through: network)
    #expect(network.uploads == 1)
    // Long after the service's answer is any good: it is asked to refer to the file again.
    world.clock.advance(3_600_000 * 48)
    try await Self.add(world.libraries[0], path)
    try await world.sync(0, through: network)
    #expect(network.uploads == 1)
    #expect(try await world.libraries[0].syncBacklog().pending == 0)
  }

  @Test func `an edit beside a file does not send the file again`() async throws {
    let world = try await Self.world()
    defer { world.remove() }
    let (id, attachment) = try await Self.add(
      world.libraries[0], try Self.file(world, bytes: 5_000))
    try await world.sync(0)
    try await world.sync(1)
    try await world.libraries[1].set(id, ["name": .text("Nara")])
    let network = CountingNetwork(world.network)
    try await world.sync(1, through: network)
    #expect(network.uploads == 0)
    try await world.sync(0)
    let copy = try #require(try await world.libraries[0].snapshot(World.place, id))
    #expect(copy.value(of: World.name) == .text("Nara"))
    #expect(copy.value(of: Self.photo) == .attachment(attachment))
    try await world.expectConverged()
  }

  @Test func `a record is there before its file, and says that the file is on its way`()
    async throws
  {
    let world = try await Self.world()
    defer { world.remove() }
    let (id, attachment) = try await Self.add(
      world.libraries[0], try Self.file(world, bytes: 3_000_000))
    try await world.sync(0)
    let network = CountingNetwork(world.network)
    network.cut(after: 300_000)
    guard case .waiting = try await world.sync(1, through: network) else {
      Issue.record("the cut was not noticed")
      return
    }
    let library = world.libraries[1]
    #expect(try await library.snapshot(World.place, id)?.value(of: World.name) == .text("Kyoto"))
    #expect(throws: StoreError.attachmentMissing(hash: attachment.hash)) {
      try library.attachmentPath(attachment)
    }
    #expect(try await library.syncBacklog().contents == 1)
    #expect(try await SyncStatus.read(library, now: 0).summary != .succeeded)
    // It goes on where it was cut.
    network.cut(after: nil)
    let before = network.downloaded
    #expect(try await world.sync(1, through: network) == .done)
    #expect(network.downloaded - before < 2_500_000)
    #expect(try Self.content(library, attachment).count == 3_000_000)
    #expect(try await library.syncBacklog().contents == 0)
  }

  @Test func `a file that arrives damaged is never taken for what it should be`() async throws {
    let world = try await Self.world()
    defer { world.remove() }
    let (_, attachment) = try await Self.add(
      world.libraries[0], try Self.file(world, bytes: 9_000))
    try await world.sync(0)
    let network = CountingNetwork(world.network)
    network.damage(true)
    try await world.sync(1, through: network)
    let library = world.libraries[1]
    #expect(throws: StoreError.self) { try library.attachmentPath(attachment) }
    let backlog = try await library.syncBacklog()
    #expect(backlog.contents + backlog.contentsMissing == 1)
    network.damage(false)
    try await library.unparkAll()
    try await world.sync(1, through: network)
    #expect(try Self.content(library, attachment).count == 9_000)
  }

  @Test func `both files of a conflict travel, and the one that is taken stays`() async throws {
    let world = try await Self.world(devices: 3)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.sync(0)
    try await world.sync(1)
    var files: [Records.Attachment] = []
    for number in 0..<2 {
      let path = try Self.file(world, bytes: 4_000 + number)
      let attachment = try await world.libraries[number].attach(path, name: "\(number).jpg")
      try await world.libraries[number].set(id, ["photo": .attachment(attachment)])
      files.append(attachment)
    }
    for device in [0, 1, 0, 2] { try await world.sync(device) }
    for library in world.libraries {
      let conflicts = try await library.snapshot(World.place, id)?.state.conflicts(
        in: Self.model.types[0])
      #expect(conflicts?.count == 1)
      for file in files { #expect(try Self.content(library, file).count == Int(file.size)) }
    }
    _ = try await world.libraries[2].resolve(
      World.place, id, field: Self.photo, value: .value(.attachment(files[0])))
    try await world.expectConverged()
    #expect(
      try await world.libraries[1].snapshot(World.place, id)?.value(of: Self.photo)
        == .attachment(files[0]))
  }

  @Test func `texts far beyond what a record holds travel as files`() async throws {
    let world = try await Self.world()
    defer { world.remove() }
    let long = String(repeating: "長い文章 ", count: 120_000)
    let id = try await world.libraries[0].add(["name": .text("Kyoto"), "notes": .text(long)])
    #expect(try await world.sync(0) == .done)
    #expect(try await world.libraries[0].syncBacklog().parked == 0)
    try await world.sync(1)
    func notes(_ device: Int) async throws -> Value? {
      try await world.libraries[device].snapshot(World.place, id)?
        .value(of: FieldID(trusted: "notes"))
    }
    let isWhole = try await notes(1) == .text(long)
    #expect(isWhole)
    // Both sides change it: the state carries both, and is too long for its own field.
    try await world.libraries[0].set(id, ["notes": .text(long + "\nA")])
    try await world.libraries[1].set(id, ["notes": .text("B\n" + long)])
    try await world.settle()
    let isSame = try await notes(0) == notes(1)
    #expect(isSame)
    #expect(try await world.libraries[0].syncBacklog().pending == 0)
    #expect(try await world.libraries[1].syncBacklog().parked == 0)
    // And it becomes short again.
    try await world.libraries[1].set(id, ["notes": .text("short")])
    try await world.settle()
    let isShort = try await notes(0) == .text("short")
    #expect(isShort)
  }

  @Test func `a file that another program attached is taken in`() async throws {
    let world = try await Self.world()
    defer { world.remove() }
    let (id, _) = try await Self.add(world.libraries[0], try Self.file(world, bytes: 2_000))
    try await world.sync(0)
    let client = ServiceClient(
      transport: world.network, zone: "Skyros", milliseconds: { world.clock.now })
    guard case .message(let found, _) = await client.lookup([id.description]),
      case .record(var record)? = found.records.first
    else {
      Issue.record("not there")
      return
    }
    let bytes = [UInt8]("another picture".utf8)
    let asset = try await client.uploaded(bytes, record: id.description, field: "photo")
    record.fields = ["photo": .asset(asset)]
    _ = await client.modify([RecordOperation(.update, record)])
    for device in 0..<2 { try await world.sync(device) }
    for library in world.libraries {
      guard
        case .attachment(let file)? = try await library.snapshot(World.place, id)?.value(
          of: Self.photo)
      else {
        Issue.record("no attachment")
        continue
      }
      #expect(file.hash == ContentHash.of(bytes))
      #expect(try Self.content(library, file) == Data(bytes))
    }
    try await world.expectConverged()
  }
}

extension ServiceClient {
  /// Uploads as a program does that is not ours.
  func uploaded(_ bytes: [UInt8], record: String, field: String) async throws -> WireAsset {
    let tokens = AssetUploadMessage([AssetToken(recordName: record, fieldName: field)], in: zone)
    let reply = try await transport.call(
      ServiceCall(.private, "assets/upload", body: tokens.body()))
    let address = try #require(try AssetUploadMessage(body: reply.body).tokens.first?.url)
    let answer = try await transport.upload(.bytes(bytes), to: address)
    return try SingleFile(body: answer.body).asset
  }
}

/// Counts what files cost, and cuts or damages them on demand.
final class CountingNetwork: SyncTransport {
  private struct State {
    var uploads = 0
    var downloaded = 0
    var calls: [String: Int] = [:]
    var cut: Int?
    var isDamaging = false
  }

  private let inner: any SyncTransport
  private let state = Mutex(State())

  init(_ inner: any SyncTransport) { self.inner = inner }

  var uploads: Int { state.withLock(\.uploads) }
  var downloaded: Int { state.withLock(\.downloaded) }
  func calls(_ action: String) -> Int { state.withLock { $0.calls[action] ?? 0 } }
  func cut(after bytes: Int?) { state.withLock { $0.cut = bytes } }
  func damage(_ isDamaging: Bool) { state.withLock { $0.isDamaging = isDamaging } }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    state.withLock { $0.calls[call.action, default: 0] += 1 }
    return try await inner.call(call)
  }

  func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    state.withLock { $0.uploads += 1 }
    return try await inner.upload(content, to: address)
  }

  func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    let taken = Mutex(0)
    return try await inner.download(address, from: offset) { piece, isContinued in
      var piece = piece
      let (cut, isDamaging) = self.state.withLock { state in
        state.downloaded += piece.count
        return (state.cut, state.isDamaging)
      }
      if let cut, taken.withLock({ $0 }) + piece.count > cut { throw TransportFailure.interrupted }
      taken.withLock { $0 += piece.count }
      if isDamaging, !piece.isEmpty { piece[0] ^= 0xFF }
      try take(piece, isContinued)
    }
  }

  func close() async {}
}
