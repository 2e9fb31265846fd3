// What a network and a broken service can do to one request, drawn by chance. Every error of the
// protocol, every failure of a transport, pages of others, bodies that break off and hostile ones.

internal import CloudKitWire
internal import Sync
internal import TestKit

enum NetworkFault {
  case none
  /// The request never arrives.
  case requestLost
  /// The request arrives; its answer does not.
  case replyLost
  /// The request arrives later, when nobody waits for it any more.
  case delayed
  /// The request arrives twice.
  case repeated
  /// The answer breaks off.
  case truncated
  /// One operation of a batch is refused by its own error, the others are carried out.
  case refused(ServerErrorCode)
  case answer(ServiceReply)
  case failure(TransportFailure)

  var word: String {
    switch self {
    case .none: "ok"
    case .requestLost: "request lost"
    case .replyLost: "reply lost"
    case .delayed: "delayed"
    case .repeated: "repeated"
    case .truncated: "truncated"
    case .refused(let code): "one refused: \(code.rawValue)"
    case .answer(let reply):
      "answer \(reply.status): \(String(decoding: reply.body.prefix(80), as: UTF8.self))"
    case .failure(let failure): failure.rawValue
    }
  }

  static func random(_ random: inout SeededGenerator) -> NetworkFault {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .requestLost
    case 1, 2: return .replyLost
    case 3: return .delayed
    case 4, 5: return .repeated
    case 6: return .truncated
    case 7: return .failure(TransportFailure.allCases.randomElement(using: &random) ?? .timedOut)
    case 8: return .answer(error(&random))
    case 9: return .answer(foreign.randomElement(using: &random) ?? foreign[0])
    case 10: return .answer(hostile.randomElement(using: &random) ?? hostile[0])
    default: return .refused(refusals.randomElement(using: &random) ?? .badRequest)
    }
  }

  /// Any error of the protocol, as a whole answer; now and then one that refuses the change token.
  private static func error(_ random: inout SeededGenerator) -> ServiceReply {
    let code = ServerErrorCode.allCases.randomElement(using: &random) ?? .tryAgainLater
    var error = ServiceError(code, "simulated", retryAfter: Bool.random(using: &random) ? 1 : nil)
    if code == .badRequest, Bool.random(using: &random) {
      error.extensionErrorCode = ServiceError.tokenExpired
      error.tokenRefusal = TokenRefusal.allCases.randomElement(using: &random)
    }
    return ServiceReply(status: code.status, body: error.body())
  }

  /// What one record can be refused with.
  ///
  /// Not `NOT_FOUND`: of a record that is there it is a lie, which means that somebody purged it.
  private static let refusals = ServerErrorCode.allCases.filter { $0 != .notFound }

  /// What captive portals, proxies and servers that are ill answer.
  private static let foreign: [ServiceReply] = [
    ServiceReply(status: 200, body: Array("<html>Sign in to WLAN</html>".utf8)),
    ServiceReply(status: 302, headers: ["location": "http://portal.invalid/"], body: []),
    ServiceReply(status: 407, body: Array("proxy".utf8)),
    ServiceReply(status: 413, body: Array("<h1>Request Entity Too Large</h1>".utf8)),
    ServiceReply(status: 418, body: []),
    ServiceReply(status: 500, body: []),
    ServiceReply(
      status: 503, headers: ["retry-after": "2"], body: Array("<h1>Back soon</h1>".utf8)),
  ]

  /// Bodies that mean to break a reader, or to lead it astray.
  private static let hostile: [ServiceReply] = [
    "", "{", "[]", "null", "{}", "\u{0}", #"{"records":5,"zones":5}"#,
    #"{"records":[{}],"zones":[{}],"users":[{}]}"#,
    #"{"records":[{"recordName":7}],"zones":[{"zoneID":7}]}"#,
    #"{"records":[{"recordName":"\ud800"}]}"#,
    #"{"zones":[{"zoneID":{"zoneName":"Skyros"},"records":[],"moreComing":true}]}"#,
    #"{"zones":[{"zoneID":{"zoneName":"Skyros"},"records":[],"syncToken":"forged","moreComing":true}]}"#,
    #"{"zones":[{"zoneID":{"zoneName":"Skyros"},"records":[{"recordName":"x","fields":7}]}]}"#,
    String(repeating: "[", count: 20_000),
    #"{"zones":"# + String(repeating: #"{"a":"#, count: 5_000),
  ].map { ServiceReply(status: 200, body: Array($0.utf8)) }
}
