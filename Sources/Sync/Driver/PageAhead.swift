// The next page of the feed, asked for while the one before it is taken in: the two need different
// things, the wire and the disk. Thread-safe.

internal import CloudKitWire
internal import Synchronization

/// At most one page that is on its way.
final class PageAhead: Sendable {
  /// Shorter pages are there before anybody could miss them.
  static let recordsMin = 500

  private struct Request {
    let token: String
    let task: Task<Received<ZoneChangesPage>, Never>
  }

  private let request = Mutex<Request?>(nil)

  /// The page behind a token, if it was asked for; any other one is dropped.
  func take(_ token: String?) -> Task<Received<ZoneChangesPage>, Never>? {
    request.withLock { request in
      defer { request = nil }
      guard let found = request else { return nil }
      if found.token == token { return found.task }
      found.task.cancel()
      return nil
    }
  }

  func begin(_ token: String, _ fetch: @escaping @Sendable () async -> Received<ZoneChangesPage>) {
    request.withLock { request in
      request?.task.cancel()
      request = Request(token: token, task: Task { await fetch() })
    }
  }
}
