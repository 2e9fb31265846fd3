internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Says "go on" to a client that asks before it sends a body (`Expect: 100-continue`): curl waits a
/// second for the word before every large upload, others wait for ever.
///
/// On its channel's event loop.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let request) = unwrapInboundIn(data),
      request.headerFields[.expect]?.lowercased() == "100-continue"
    {
      let word = HTTPResponsePart.head(HTTPResponse(status: .continue))
      context.writeAndFlush(wrapOutboundOut(word), promise: nil)
    }
    context.fireChannelRead(data)
  }
}
