// A request and its answer, as they are on any way in: function call, HTTP, TLS.

package import CloudKitWire

/// One request, whole.
package struct ServiceRequest: Sendable {
  package var method: String
  /// Path and query exactly as received: signatures cover them.
  package var target: String
  /// By lower-case name.
  package var headers: [String: String]
  package var body: [UInt8]
  /// Who sent it, for rate limits; nil for a call in the same process.
  package var peer: String?

  package init(
    _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = [],
    peer: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
  }

  /// The target up to the question mark.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The parameters of the query, percent-decoded; the last of a name wins.
  package var parameters: [String: String] {
    guard let mark = target.firstIndex(of: "?") else { return [:] }
    var parameters: [String: String] = [:]
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(parts[0]) else { continue }
      parameters[name] = parts.count == 2 ? PercentEncoding.decode(parts[1]) : ""
    }
    return parameters
  }
}

/// The answer to a request.
package struct ServiceResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces as they become ready; a failure in between breaks the connection.
    case stream(AsyncThrowingStream<[UInt8], any Error>)
    /// A file of that path and size, sent in pieces.
    case file(path: String, bytes: Int)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON message.
  package init(json: [UInt8], status: Int = 200) {
    self.init(
      status: status, headers: [("content-type", "application/json; charset=UTF-8")],
      body: .bytes(json))
  }

  package init(_ message: some WireWritable, status: Int = 200) {
    self.init(json: message.body(), status: status)
  }

  package init(_ error: ServiceError) {
    self.init(error, status: error.code.status)
    if let seconds = error.retryAfter { headers.append(("retry-after", String(seconds))) }
  }

  /// The first header of that lower-case name.
  package func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// The body of a response that has it whole; nil for a stream or a file.
  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = body { bytes } else { nil }
  }
}

/// Percent-encoding of URL parts.
package enum PercentEncoding {
  /// Nil when it is not UTF-8 behind the escapes.
  ///
  /// A `+` stays one: tokens contain it.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let decoded = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)),
        let value = decoded.first
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Everything but letters, digits and `-._~` escaped.
  package static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += "%" + Hex.encode([byte]).uppercased()
      }
    }
    return encoded
  }
}
