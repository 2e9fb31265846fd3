// Signing in without a token file: the service names a page, a person signs in there with a browser,
// and the browser brings the token to an address of this machine that lives as long as that takes.

internal import AsyncHTTPClient
internal import CloudKitWire
internal import NIOCore
internal import RecordService
package import Sync

/// What went wrong on the way to a token.
package enum PairingFailure: Error, Sendable, Hashable {
  case transport(TransportFailure)
  /// The service has no page to sign in on: it wants another kind of sign-in.
  case noPage(detail: String?)
  /// The browser came back without a token.
  case noToken
  /// No address of this machine could be taken.
  case noCallback
}

package enum BrowserPairing {
  /// The longest answer that names a page.
  private static let answerBytesMax = 1 << 20

  /// Pairs this machine with a service.
  ///
  /// - Parameters:
  ///   - apiToken: The container's, where its owner gave one; a service of ours gives one itself.
  ///   - secret: Random: the browser's way back is known to nobody else.
  ///   - open: Shows the page to a person; it may be called while nothing has been signed yet.
  package static func pair(
    base: String, container: String, apiToken: String? = nil, secret: UInt64, path: String?,
    open: @Sendable (_ page: String) -> Void
  ) async throws(PairingFailure) -> TokenStore {
    let page = try await page(base: base, container: container, apiToken: apiToken)
    let callback = try await LoopbackCallback.listen(path: "/" + String(secret, radix: 36))
    let mark = page.contains("?") ? "&" : "?"
    let wants = apiToken == nil ? "&wants=api-token" : ""
    open("\(page)\(mark)callback=\(PercentEncoding.encode(callback.address))\(wants)")
    let answer = await callback.answer()
    await callback.close()
    let web = answer["ckWebAuthToken"] ?? answer["ckSession"]
    guard let web, !web.isEmpty, let api = answer["ckAPIToken"] ?? apiToken else {
      throw .noToken
    }
    return TokenStore(apiToken: api, webAuthToken: web, path: path)
  }

  /// The page on which a person signs in.
  package static func page(
    base: String, container: String, apiToken: String?
  ) async throws(PairingFailure) -> String {
    let tokens = TokenStore(apiToken: apiToken ?? "", webAuthToken: nil, path: nil)
    let transport = HTTPTransport(base: base, container: container, tokens: tokens)
    var call = ServiceCall(.public, "users/caller", body: nil)
    let reply: ServiceReply
    do throws(TransportFailure) {
      let first = try await transport.call(call)
      if first.status == 401, first.headers[ServiceExtensions.headerName] != nil {
        // A service of ours: it lets a client in that has nothing yet, if it is asked.
        call.isExtended = true
        reply = try await transport.call(call)
      } else {
        reply = first
      }
    } catch {
      await transport.close()
      throw .transport(error)
    }
    await transport.close()
    let refusal: ServiceError
    do throws(MalformedMessage) {
      refusal = try ServiceError(body: reply.body)
    } catch {
      throw .noPage(detail: nil)
    }
    guard let page = refusal.redirectURL else { throw .noPage(detail: refusal.reason) }
    return page
  }
}
