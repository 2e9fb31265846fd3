import RecordStore
import Sync
import Testing

/// What a process beside the one that syncs tells of its event log.
struct EventFollowingTests {
  private func event(_ id: Int64, _ outcome: SyncOutcome, attempts: Int = 1) -> SyncEvent {
    var event = SyncEvent(
      id: id, phase: .import, trigger: .user, startedAt: id, outcome: outcome,
      error: outcome == .failed ? "unreachable" : nil)
    if outcome != .running { event.endedAt = id + 1 }
    event.attempts = attempts
    return event
  }

  @Test func `what is over is not told, what runs is told when it moves and when it ends`() {
    var following = EventFollowing(over: [event(2, .running), event(1, .succeeded)])
    #expect(following.news(in: [event(2, .running), event(1, .succeeded)]).map(\.id) == [2])
    #expect(following.news(in: [event(2, .running), event(1, .succeeded)]).isEmpty)
    let ended = following.news(in: [event(2, .succeeded), event(1, .succeeded)])
    #expect(ended == [event(2, .succeeded)])
  }

  @Test func `an event that ends after a newer one is told of`() {
    var following = EventFollowing(over: [])
    #expect(following.news(in: [event(2, .succeeded), event(1, .running)]).map(\.id) == [1, 2])
    #expect(following.settled < 1)
    let ended = following.news(in: [event(2, .succeeded), event(1, .interrupted)])
    #expect(ended == [event(1, .interrupted)])
    #expect(following.settled == 1)
  }

  @Test func `a failure that comes again is told of again, though it is counted where it was`() {
    var following = EventFollowing(over: [event(4, .failed), event(3, .succeeded)])
    #expect(following.settled == 3)
    #expect(following.news(in: [event(5, .running), event(4, .failed)]).map(\.id) == [5])
    let again = following.news(in: [event(4, .failed, attempts: 2)])
    #expect(again == [event(4, .failed, attempts: 2)])
  }
}
