// What the service, or the way to it, can answer: a closed list, so that every answer has exactly
// one declared outcome (OutcomeTable). Data only: words for people are made elsewhere.

package import CloudKitWire

/// Why a call got no response at all.
package enum TransportFailure: String, Error, Sendable, Hashable, CaseIterable {
  /// The service's name has no address.
  case nameNotFound
  /// Nobody listens there, or there is no way to it.
  case unreachable
  /// The certificate is not trusted, or the handshake failed.
  case untrusted
  case timedOut
  /// The connection broke after the request went out: it may have been carried out.
  case interrupted
  /// The response is longer than any that the protocol allows.
  case oversized
  /// We stopped waiting ourselves.
  case cancelled
}

/// The class of an answer: of a whole call, or of one record in it.
package enum AnswerClass: Sendable, Hashable {
  case success
  case code(ServerErrorCode)
  /// The change token can't be used any more; nothing where the service can't tell why.
  case tokenRefused(TokenRefusal?)
  /// A page in place of the protocol: a captive portal, a proxy, another program.
  case foreignPage
  /// JSON that breaks off, or is not the message that it should be.
  case garbled
  /// A response for some records is missing from a whole one.
  case missing
  /// Status 5xx without a readable error.
  case serverTrouble
  /// Any other status that the protocol has no use for.
  case unexpectedStatus
  /// Status 413 without a readable error: the request was too long for something on the way.
  case tooLong
  /// Our signature or token was refused, and the service's clock is far from ours.
  case clockSkew
  case transport(TransportFailure)
  /// The library itself could not be read or written.
  case storeFailed
  /// The service takes us for somebody else than the person with whom this library synced.
  case otherAccount
  /// The service removed the account, with all that it kept; nobody can sign in to it again.
  case accountRemoved
  /// The zone that this library synced with is not there any more.
  case zoneGone
  /// Records that the service held are gone, and a person has to decide what that means here.
  case planToConfirm

  /// Every class, in the order of the table in the documentation.
  package static let all: [AnswerClass] =
    [.success] + ServerErrorCode.allCases.map { .code($0) }
    + [.tokenRefused(nil)] + TokenRefusal.allCases.map { .tokenRefused($0) }
    + [
      .foreignPage, .garbled, .missing, .serverTrouble, .unexpectedStatus, .tooLong, .clockSkew,
    ]
    + TransportFailure.allCases.map { .transport($0) } + [
      .storeFailed, .otherAccount, .accountRemoved, .zoneGone, .planToConfirm,
    ]

  /// A stable word: in the event log, in JSON, and as the key of the sentences for people.
  package var word: String {
    switch self {
    case .success: "success"
    case .code(let code): code.rawValue
    case .tokenRefused(nil): "tokenRefused"
    case .tokenRefused(let refusal?): "tokenRefused.\(refusal.rawValue)"
    case .foreignPage: "foreignPage"
    case .garbled: "garbled"
    case .missing: "missing"
    case .serverTrouble: "serverTrouble"
    case .unexpectedStatus: "unexpectedStatus"
    case .tooLong: "tooLong"
    case .clockSkew: "clockSkew"
    case .transport(let failure): failure.rawValue
    case .storeFailed: "storeFailed"
    case .otherAccount: "otherAccount"
    case .accountRemoved: "accountRemoved"
    case .zoneGone: "zoneGone"
    case .planToConfirm: "planToConfirm"
    }
  }
}

/// An answer as the machine gets it.
package struct Answer: Sendable, Hashable {
  package var kind: AnswerClass
  /// Seconds that the service asks us to wait.
  package var retryAfter: Int?
  /// The service's own reason, for the raw chain that a person can ask for.
  package var detail: String?

  package init(_ kind: AnswerClass, retryAfter: Int? = nil, detail: String? = nil) {
    self.kind = kind
    self.retryAfter = retryAfter
    self.detail = detail
  }

  package static let success = Answer(.success)

  /// The class of an error that the protocol wrote.
  package init(_ error: ServiceError) {
    let kind: AnswerClass =
      if error.extensionErrorCode == ServiceError.tokenExpired || error.tokenRefusal != nil {
        .tokenRefused(error.tokenRefusal)
      } else if error.extensionErrorCode == ServiceError.accountRemoved {
        .accountRemoved
      } else {
        .code(error.code)
      }
    self.init(kind, retryAfter: error.retryAfter, detail: error.reason)
  }
}
