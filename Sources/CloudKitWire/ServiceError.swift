// The error object: of a whole request, or of one entry in a response.

/// The codes of the protocol.
///
/// Clients decode them as a closed set: never add one.
package enum ServerErrorCode: String, Sendable, Hashable, CaseIterable {
  case accessDenied = "ACCESS_DENIED"
  case atomicError = "ATOMIC_ERROR"
  case authenticationFailed = "AUTHENTICATION_FAILED"
  case authenticationRequired = "AUTHENTICATION_REQUIRED"
  case badRequest = "BAD_REQUEST"
  case conflict = "CONFLICT"
  case exists = "EXISTS"
  case internalError = "INTERNAL_ERROR"
  case notFound = "NOT_FOUND"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case throttled = "THROTTLED"
  case tryAgainLater = "TRY_AGAIN_LATER"
  case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
  case zoneNotFound = "ZONE_NOT_FOUND"
  case uniqueFieldError = "UNIQUE_FIELD_ERROR"

  /// The status of a response that fails as a whole with this code.
  package var status: Int {
    switch self {
    case .accessDenied: 403
    case .atomicError, .badRequest, .uniqueFieldError: 400
    case .authenticationFailed: 401
    case .authenticationRequired: 421
    case .conflict, .exists: 409
    case .internalError: 500
    case .notFound, .zoneNotFound: 404
    case .quotaExceeded: 413
    case .throttled: 429
    case .tryAgainLater: 503
    case .validatingReferenceError: 412
    }
  }
}

/// Why a change token was refused: the value of our extra key `tokenRefusal`.
package enum TokenRefusal: String, Sendable, Hashable, CaseIterable {
  /// Older than the service's tombstones: what is absent now was deleted.
  case retention
  /// From a history that this service does not have (it was restored from a backup): what is
  /// absent now may never have arrived.
  case future
  /// The zone was deleted and made again: what is absent now went with the old zone.
  case recreated
}

/// An error as the protocol writes it.
package struct ServiceError: Error, Sendable, Hashable {
  /// The extra code beside `BAD_REQUEST` for a change token that can't be used any more.
  package static let tokenExpired = "CHANGE_TOKEN_EXPIRED"
  /// The extra code of a refused sign-in whose account is not there any more.
  package static let accountRemoved = "ACCOUNT_REMOVED"

  package var code: ServerErrorCode
  package var reason: String
  /// Seconds after which to try again; nil means that trying again is no use.
  package var retryAfter: Int?
  package var redirectURL: String?
  package var uuid: String?
  package var recordName: String?
  package var zoneID: ZoneID?
  package var subscriptionID: String?
  package var extensionErrorCode: String?
  package var tokenRefusal: TokenRefusal?
  /// Extension: the record that stands in the way of a conflicting write.
  package var serverRecord: WireRecord?

  package init(_ code: ServerErrorCode, _ reason: String, retryAfter: Int? = nil) {
    self.code = code
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

extension ServiceError: WireReadable, WireWritable {
  /// The members of an error as they are met among those of an entry.
  struct Parts {
    var code: ServerErrorCode?
    var reason: String?
    var retryAfter: Int?
    var redirectURL: String?
    var uuid: String?
    var subscriptionID: String?
    var extensionErrorCode: String?
    var tokenRefusal: TokenRefusal?
    var serverRecord: WireRecord?

    /// True when the member was one of an error's.
    mutating func read(
      _ name: String, from reader: inout JSONReader
    ) throws(MalformedMessage) -> Bool {
      switch name {
      case "serverErrorCode":
        // A code that we do not know is some failure of the service.
        code = try reader.readValue().string.map { ServerErrorCode(rawValue: $0) ?? .internalError }
      case "reason": reason = try reader.readValue().string
      case "retryAfter":
        retryAfter = try reader.readValue().number.flatMap { Int(exactly: $0.rounded(.up)) }
      case "redirectURL": redirectURL = try reader.readValue().string
      case "uuid": uuid = try reader.readValue().string
      case "subscriptionID": subscriptionID = try reader.readValue().string
      case "extensionErrorCode": extensionErrorCode = try reader.readValue().string
      case "tokenRefusal":
        tokenRefusal = try reader.readValue().string.flatMap { TokenRefusal(rawValue: $0) }
      case "serverRecord":
        if try !reader.readNullIfNext() { serverRecord = try WireRecord(from: &reader) }
      default: return false
      }
      return true
    }

    var failure: ServiceError? {
      guard let code else { return nil }
      var error = ServiceError(code, reason ?? "", retryAfter: retryAfter)
      error.redirectURL = redirectURL
      error.uuid = uuid
      error.subscriptionID = subscriptionID
      error.extensionErrorCode = extensionErrorCode
      error.tokenRefusal = tokenRefusal
      error.serverRecord = serverRecord
      return error
    }
  }

  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    var parts = Parts()
    var recordName: String?
    var zoneID: ZoneID?
    let start = reader.offset
    try reader.beginObject()
    while let name = try reader.nextName() {
      if try parts.read(name, from: &reader) { continue }
      switch name {
      case "recordName": recordName = try reader.readValue().string
      case "zoneID": zoneID = ZoneID(try reader.readValue())
      default: try reader.skip()
      }
    }
    guard let failure = parts.failure else {
      throw MalformedMessage("an error needs a serverErrorCode", at: start)
    }
    self = failure
    self.recordName = recordName
    self.zoneID = zoneID
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  /// The members without the braces, for entries that carry more.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("uuid", uuid)
    writer.member("recordName", recordName)
    writer.member("zoneID", zoneID)
    writer.member("subscriptionID", subscriptionID)
    writer.member("serverErrorCode", code.rawValue)
    writer.member("reason", reason)
    writer.member("retryAfter", retryAfter)
    writer.member("redirectURL", redirectURL)
    writer.member("extensionErrorCode", extensionErrorCode)
    writer.member("tokenRefusal", tokenRefusal?.rawValue)
    writer.member("serverRecord", serverRecord)
  }
}
