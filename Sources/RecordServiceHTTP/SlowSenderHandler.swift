// Ends a connection on which somebody sends a little now and then, for as long as he likes: whoever
// is silent is ended by the idle time, but a byte before each of its ends would hold a connection for
// ever, and a few hundred such senders the whole server.
//
// A rest between requests and the head of a request have one period together; a body has to bring so
// many bytes in each. Who waits for his answer is left alone. On its channel's event loop.

package import NIOCore
package import NIOHTTPTypes

package final class SlowSenderHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  /// Slower than any line that a client would use.
  package static let bodyBytesPerSecondMin: Int64 = 1_000

  private let period: TimeAmount
  private var timer: Scheduled<Void>?
  private var unanswered = 0
  private var isInBody = false
  private var bodyBytes: Int64 = 0
  /// Nothing but pieces of one head or of one body came since the last look.
  private var isSameSinceLook = false

  package init(periodSeconds: Int64) {
    period = .seconds(periodSeconds)
  }

  package func handlerAdded(context: ChannelHandlerContext) { arm(context) }
  package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  package func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isInBody = true
      begin()
    case .body(let piece): bodyBytes += Int64(piece.readableBytes)
    case .end:
      isInBody = false
      begin()
    }
    context.fireChannelRead(data)
  }

  package func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    if case .end = unwrapOutboundIn(data) {
      unanswered -= 1
      begin()
    }
    context.write(data, promise: promise)
  }

  private func begin() {
    bodyBytes = 0
    isSameSinceLook = false
  }

  private func arm(_ context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: period) { self.look(context) }
  }

  private func look(_ context: ChannelHandlerContext) {
    let bytesMin = Self.bodyBytesPerSecondMin * period.nanoseconds / 1_000_000_000
    let isSlow = isInBody ? bodyBytes < bytesMin : unanswered == 0
    if isSlow, isSameSinceLook {
      context.close(promise: nil)
      return
    }
    bodyBytes = 0
    isSameSinceLook = true
    arm(context)
  }
}
