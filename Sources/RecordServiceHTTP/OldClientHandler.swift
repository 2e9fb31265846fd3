internal import NIOCore
internal import NIOHTTP1

/// Closes the connection behind the answer to HTTP/1.0: such a client waits for that end, and would
/// wait for as long as a connection may rest.
///
/// On its channel's event loop.
final class OldClientHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
      context.fireChannelRead(data)
      return
    }
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Puts itself where versions are still known: behind HTTP/1's own decoder, of which a stream of
  /// HTTP/2 has none.
  final class Placer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      guard
        let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      else { return }
      do {
        try pipeline.addHandler(OldClientHandler(), position: .after(decoder))
      } catch {
        context.fireErrorCaught(error)
      }
    }
  }
}
