import CloudKitWire
import Crypto
import Foundation
import RecordService
import Testing

/// Files: upload, attach, read, attach again, collect.
struct AssetTests {
  private func upload(
    _ bench: ServiceBench, _ bytes: [UInt8], as caller: Caller? = nil
  ) async throws -> JSONValue {
    let answer = try await bench.call(
      "assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#, as: caller)
    let token = try #require(answer["tokens"]?.array?.first)
    #expect(token["recordName"]?.string?.isEmpty == false)
    let sealed = try #require(token["url"]?.string?.split(separator: "/").last)
    let pieces = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: bytes.count, by: 1_000) {
        continuation.yield(Array(bytes[start..<min(start + 1_000, bytes.count)]))
      }
      continuation.finish()
    }
    let response = await bench.service.receiveAsset(String(sealed), pieces)
    return try #require(try response.json["singleFile"])
  }

  private func text(_ json: JSONValue) -> String {
    String(decoding: json.body(), as: UTF8.self)
  }

  private func create(_ name: String, _ asset: String) -> String {
    operation("create", name, fields: #"{"f":{"value":\#(asset),"type":"ASSETID"}}"#)
  }

  @Test func `an uploaded file is read back, byte for byte`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = try await upload(bench, bytes)
    for key in ["wrappingKey", "fileChecksum", "receipt", "referenceChecksum"] {
      #expect(file[key]?.string?.isEmpty == false)
    }
    #expect(file["size"] == .int(5_000))
    #expect(file["fileChecksum"]?.string == Base64.encode(Array(SHA256.hash(data: bytes))))
    let made = try await bench.modify(create("r", text(file)))
    let field = try #require(made[0].field("f"))
    #expect(field["receipt"] == nil && field["size"] == .int(5_000))
    let url = try #require(field["downloadURL"]?.string?.split(separator: "/").last)
    let download = bench.service.sendAsset(String(url))
    guard case .file(let path, let size) = download.body else {
      Issue.record("no file")
      return
    }
    #expect(size == 5_000)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
    // Echoed without its receipt, an asset stays where it is.
    let echoed = try await bench.modify(
      operation(
        "update", "r", tag: made[0].tag,
        fields: #"{"f":{"value":\#(text(field)),"type":"ASSETID"},"n":{"value":1}}"#))
    #expect(echoed[0].code == nil && echoed[0].field("f") != nil)
    bench.advance(milliseconds: bench.service.settings.downloadURLMilliseconds + 1)
    #expect(bench.service.sendAsset(String(url)).status == 404)
    #expect(bench.service.sendAsset(String(url) + "A").status == 404)
  }

  @Test func `knowing a checksum is no permission`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    try await bench.makeZone("Z", as: bench.bob)
    let file = try await upload(bench, [1, 2, 3])
    // Alice's receipt is worth nothing in Bob's database.
    let stolen = try await bench.modify(create("r", text(file)), as: bench.bob)
    #expect(stolen[0].code == "BAD_REQUEST")
    let own = try await upload(bench, [1, 2, 3], as: bench.bob)
    #expect(own["fileChecksum"] == file["fileChecksum"])
    #expect(try await bench.modify(create("r", text(own)), as: bench.bob)[0].code == nil)
    bench.advance(milliseconds: bench.service.settings.assetGraceMilliseconds + 1)
    #expect(try await bench.modify(create("s", text(file)))[0].code == "BAD_REQUEST")
  }

  @Test func `rereference gives a writable descriptor for another record`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(create("r", text(try await upload(bench, [9, 9]))))
    let answer = try await bench.call(
      "assets/rereference",
      #"""
      {"zoneID":{"zoneName":"Z"},"assets":[{"recordName":"r","fieldName":"f"},
      {"recordName":"r","fieldName":"g"}]}
      """#)
    let assets = try #require(answer["assets"]?.array)
    #expect(assets[1].code == "NOT_FOUND")
    #expect(try await bench.modify(create("s", text(assets[0])))[0].code == nil)
  }

  @Test func `an upload URL ends, and a file has a limit`() async throws {
    let bench = try await ServiceBench()
    let answer = try await bench.call("assets/upload", #"{"tokens":[{"fieldName":"f"}]}"#)
    let sealed = try #require(
      answer["tokens"]?.array?[0]["url"]?.string?.split(separator: "/").last.map(String.init))
    let large = AsyncStream<[UInt8]> { continuation in
      for _ in 0..<51 { continuation.yield([UInt8](repeating: 0, count: 1_000_000)) }
      continuation.finish()
    }
    let refused = await bench.service.receiveAsset(sealed, large)
    #expect(refused.status == 400)
    bench.advance(milliseconds: bench.service.settings.uploadURLMilliseconds + 1)
    let one = AsyncStream<[UInt8]> { $0.finish() }
    #expect(await bench.service.receiveAsset(sealed, one).status == 403)
    #expect(await bench.service.receiveAsset("x.y", one).status == 403)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: bench.path + "-assets/incoming")
    #expect(left.isEmpty)
  }

  @Test func `a file goes when nothing refers to it, and not before`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let kept = try await upload(bench, [1])
    _ = try await bench.modify(create("r", text(kept)))
    _ = try await upload(bench, [2])
    let count = {
      let paths = FileManager.default.enumerator(atPath: bench.path + "-assets")
      return paths?.allObjects.compactMap { $0 as? String }.filter { $0.count > 60 }.count
    }
    try await bench.service.upkeep()
    #expect(count() == 2)
    // The files' times are the machine's; the service's clock is far beyond them by now.
    bench.advance(milliseconds: 400_000_000_000)
    try await bench.service.upkeep()
    #expect(count() == 1)
    _ = try await bench.modify(operation("forceDelete", "r"))
    try await bench.service.upkeep()
    #expect(count() == 0)
  }
}
