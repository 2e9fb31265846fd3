// The next page of the feed, asked for and read while the one before it is taken in: the two need
// different things, the wire and the disk, and use a processor each. Thread-safe.

internal import CloudKitWire
internal import Records
internal import RecordStore
internal import Synchronization

/// A page of the feed, and what of it could be read without the library.
struct FetchedPage: Sendable {
  let received: Received<ZoneChangesPage>
  /// The model by which it was read.
  let model: Model
  /// By the places of its records; nothing for what has to be read one by one.
  let plain: [(state: PlainState, seen: SeenCopy)?]
  /// Whether it was asked for without fields: only names and change tags.
  let isBare: Bool

  init(_ received: Received<ZoneChangesPage>, model: Model, isBare: Bool = false) {
    self.received = received
    self.model = model
    self.isBare = isBare
    guard !isBare, case .message(let page, _) = received else {
      plain = []
      return
    }
    var shapes = PlainShapes(model)
    plain = page.records.map { result in
      guard case .record(let record) = result, !record.deleted, let type = record.recordType else {
        return nil
      }
      return shapes[TypeID(trusted: type)]?.read(record)
    }
  }
}

/// At most one page that is on its way.
final class PageAhead: Sendable {
  /// Shorter pages are there before anybody could miss them.
  static let recordsMin = 500
  /// Fewer writes of our own coming back are not worth asking for them apart.
  static let echoMin = 200

  private struct Request {
    let token: String
    let task: Task<FetchedPage, Never>
  }

  private let request = Mutex<Request?>(nil)
  private let echo = Mutex(0)

  /// The page behind a token, if it was asked for; any other one is dropped.
  func take(_ token: String?) -> Task<FetchedPage, Never>? {
    request.withLock { request in
      defer { request = nil }
      guard let found = request else { return nil }
      if found.token == token { return found.task }
      found.task.cancel()
      return nil
    }
  }

  func begin(_ token: String, _ fetch: @escaping @Sendable () async -> FetchedPage) {
    request.withLock { request in
      request?.task.cancel()
      request = Request(token: token, task: Task { await fetch() })
    }
  }

  // MARK: What comes back

  /// Records of ours were taken by the service: the feed is going to bring them back.
  func sent(_ count: Int) { echo.withLock { $0 += count } }

  /// Whether most of the next page is likely to be our own.
  var expectsEcho: Bool { echo.withLock { $0 >= Self.echoMin } }

  /// A page with so many records was read; at the end of the feed nothing is left to come back.
  func read(_ count: Int, isLast: Bool) {
    echo.withLock { $0 = isLast ? 0 : max(0, $0 - count) }
  }
}
