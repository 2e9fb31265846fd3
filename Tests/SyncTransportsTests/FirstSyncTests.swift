import CloudKitWire
import RecordStore
import Records
import SimulationKit
import Sync
import Synchronization
import TestKit
import Testing

/// A library of thousands of records, synced to an empty one by processes that die on the way.
struct FirstSyncTests {
  @Test func `a first sync that dies again and again goes on from its last page`() async throws {
    var random = SeededGenerator(seed: 7)
    var world = try await World(devices: 2, medium: .file)
    let count = 1_200
    var ids: [RecordID] = []
    let full = world.libraries[0]
    var drafts: [Draft] = []
    for number in 0..<count {
      let id = full.surroundings.newRecordID()
      ids.append(id)
      var draft = Draft(id: full.surroundings.newDraftID(), new: id, of: World.type)
      draft.set(.text("Place \(number)"), of: World.name)
      draft.set(.integer(Int64(number)), of: World.population)
      drafts.append(draft)
    }
    _ = try await full.commit(drafts)
    // The sender dies as well, and sends nothing twice that was acknowledged.
    while try await full.syncBacklog().pending > 0 {
      let way = PatientlyDying(world.network, life: Int.random(in: 3...9, using: &random))
      _ = try? await world.sync(0, through: way)
    }
    var pages: [String?] = []
    var rounds = 0
    while try await world.libraries[1].counts()[World.place] ?? 0 < count {
      rounds += 1
      try #require(rounds < 200, "it does not get on")
      let way = PatientlyDying(world.network, life: Int.random(in: 3...5, using: &random))
      if rounds.isMultiple(of: 3) {
        world.faults[1].arm(dyingAt: Int.random(in: 30...900, using: &random))
      }
      let before = try await world.libraries[1].syncSettings()?.token
      _ = try? await world.sync(1, through: way)
      try await world.reopen(1)
      let token = try await world.libraries[1].syncSettings()?.token
      // What it asked for first is where it had got to, not the beginning.
      if let first = way.firstToken { #expect(first == before) }
      if token != before { pages.append(token) }
    }
    #expect(rounds > 4, "it died too seldom to show anything")
    #expect(Set(pages).count == pages.count, "a page was read twice")
    try await world.settle()
    for library in world.libraries {
      #expect(try await library.counts()[World.place] == count)
      #expect(try await library.syncBacklog().pending == 0)
    }
    for id in ids {
      let mine = try await world.libraries[0].snapshot(World.place, id)
      let theirs = try await world.libraries[1].snapshot(World.place, id)
      #expect(mine?.fields == theirs?.fields)
      #expect(
        mine?.state.travelling(in: World.type) == theirs?.state.travelling(in: World.type))
    }
    try await world.close()
  }
}

/// A way whose client dies after so many requests; it notes where the client began to read.
private final class PatientlyDying: ForwardingTransport {
  let inner: any SyncTransport
  private let state: Mutex<(life: Int, firstToken: String??)>

  init(_ inner: any SyncTransport, life: Int) {
    self.inner = inner
    state = Mutex((life, nil))
  }

  /// The token of the first page that was asked for; nothing if none was.
  var firstToken: String?? { state.withLock(\.firstToken) }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let isDead = state.withLock { state in
      if call.action == "changes/zone", state.firstToken == nil {
        state.firstToken = .some(Self.token(of: call))
      }
      state.life -= 1
      return state.life < 0
    }
    if isDead { throw .cancelled }
    guard call.action == "changes/zone", let body = call.body,
      var request = try? ZoneChangesRequest(body: body)
    else { return try await inner.call(call) }
    // A service of small pages, so that there are many.
    for index in request.zones.indices { request.zones[index].resultsLimit = 150 }
    var small = call
    small.body = request.body()
    return try await inner.call(small)
  }

  private static func token(of call: ServiceCall) -> String? {
    guard let body = call.body, let request = try? ZoneChangesRequest(body: body) else {
      return nil
    }
    return request.zones.first?.syncToken
  }
}
