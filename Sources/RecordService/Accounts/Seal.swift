// The service's own secret at work: what it hands out, it can recognise again.

internal import CloudKitWire
internal import Crypto

/// Message authentication with the service's secret.
///
/// Comparison takes the same time for every wrong answer.
struct Seal: Sendable {
  private let key: SymmetricKey

  init(secret: [UInt8]) {
    key = SymmetricKey(data: secret)
  }

  /// The seal of a text, for one purpose only.
  func code(_ text: String, for purpose: String) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("\(purpose)\u{0}\(text)".utf8), using: key))
  }

  func isValid(_ code: [UInt8], of text: String, for purpose: String) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(
      code, authenticating: Array("\(purpose)\u{0}\(text)".utf8), using: key)
  }

  /// Stands for a zone's number in a token, from which nobody learns how many zones others have.
  func mark(_ zone: Int64) -> Int64 {
    code(String(zone), for: "zone").prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }

  /// A text with its seal, fit for a URL.
  func sealed(_ text: String, for purpose: String) -> String {
    Base64.encodeForURL(Array(text.utf8)) + "." + Base64.encodeForURL(code(text, for: purpose))
  }

  /// The text, if its seal is right.
  func opened(_ sealed: some StringProtocol, for purpose: String) -> String? {
    let parts = sealed.split(separator: ".")
    guard parts.count == 2, let bytes = Base64.decode(String(parts[0])),
      let text = String(validating: bytes, as: UTF8.self),
      let code = Base64.decode(String(parts[1])), isValid(code, of: text, for: purpose)
    else { return nil }
    return text
  }
}

/// What is kept of a secret.
package enum Digest {
  /// SHA-256 in hex.
  package static func of(_ secret: String) -> String {
    Hex.encode(SHA256.hash(data: Array(secret.utf8)))
  }

  /// Compares without telling, by its time, where they differ.
  static func isEqual(_ one: String?, _ other: String) -> Bool {
    guard let one else { return false }
    let left = Array(one.utf8)
    let right = Array(other.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
