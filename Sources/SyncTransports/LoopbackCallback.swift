// A page on this machine that a browser is sent to once: it takes what stands in the address, and
// says that the window can be closed. Bound to loopback, one path, gone with its owner.

internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import RecordService

/// Waits for one visit.
final class LoopbackCallback: Sendable {
  /// How long a person may take to sign in.
  static let patienceMinutes: Int64 = 10

  let address: String
  private let channel: any Channel
  private let visits: AsyncStream<[String: String]>

  private init(
    address: String, channel: any Channel, visits: AsyncStream<[String: String]>
  ) {
    self.address = address
    self.channel = channel
    self.visits = visits
  }

  /// Takes a free port.
  static func listen(path: String) async throws(PairingFailure) -> LoopbackCallback {
    let (visits, entry) = AsyncStream<[String: String]>.makeStream()
    do {
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .childChannelInitializer { channel in
          channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
            try channel.pipeline.syncOperations.addHandler(CallbackPage(path: path, entry: entry))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      channel.eventLoop.scheduleTask(in: .minutes(Self.patienceMinutes)) { entry.finish() }
      guard let port = channel.localAddress?.port else { throw PairingFailure.noCallback }
      return LoopbackCallback(
        address: "http://127.0.0.1:\(port)\(path)", channel: channel, visits: visits)
    } catch {
      throw .noCallback
    }
  }

  /// The parameters of the first visit; empty when nobody came, or the task was cancelled.
  func answer() async -> [String: String] {
    for await visit in visits { return visit }
    return [:]
  }

  func close() async {
    // It listens no more, however that ends.
    do { try await channel.close() } catch {}
  }
}

/// Answers a browser.
private final class CallbackPage: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let path: String
  private let entry: AsyncStream<[String: String]>.Continuation

  init(path: String, entry: AsyncStream<[String: String]>.Continuation) {
    self.path = path
    self.entry = entry
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let request = ServiceRequest("GET", head.uri)
    let isVisit = head.method == .GET && request.path == path[...]
    let page =
      isVisit
      ? "<!doctype html><meta charset=utf-8><title>Skyros</title>"
        + "<p>Signed in. You can close this window.<p>サインインしました。この窓を閉じてください。"
      : ""
    var headers = HTTPHeaders([
      ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
      ("referrer-policy", "no-referrer"), ("connection", "close"),
    ])
    headers.add(name: "content-length", value: String(page.utf8.count))
    let answer = HTTPResponseHead(
      version: .http1_1, status: isVisit ? .ok : .notFound, headers: headers)
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page)))), promise: nil)
    let entry = entry
    let parameters = request.parameters
    let done = context.eventLoop.makePromise(of: Void.self)
    // The page is on its way before its owner goes on and closes the door.
    done.futureResult.whenComplete { _ in if isVisit { entry.yield(parameters) } }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: done)
  }
}
