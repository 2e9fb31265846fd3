// Server-to-server keys: what is signed, and both sides of it. No clock: dates are passed in.

internal import Crypto

/// The headers of a signed request, and the string that the signature covers.
package enum RequestSigning {
  package static let keyIDHeader = "X-Apple-CloudKit-Request-KeyID"
  package static let dateHeader = "X-Apple-CloudKit-Request-ISO8601Date"
  package static let signatureHeader = "X-Apple-CloudKit-Request-SignatureV1"
  /// Seconds that the date of a request may lie from the service's clock, either way.
  package static let windowSeconds: Int64 = 600

  /// `date:base64(SHA-256(body)):subpath`; the subpath is path and query as they are sent.
  package static func message(date: String, body: [UInt8], subpath: String) -> String {
    "\(date):\(Base64.encode(Array(SHA256.hash(data: body)))):\(subpath)"
  }

  /// The strings that a signature may cover: for an empty body some clients leave the middle
  /// part empty instead of hashing nothing.
  static func messages(date: String, body: [UInt8], subpath: String) -> [String] {
    let hashed = message(date: date, body: body, subpath: subpath)
    return body.isEmpty ? [hashed, "\(date)::\(subpath)"] : [hashed]
  }

  /// Whether the signature is right for that public key.
  ///
  /// - Parameter publicKeyPEM: an SPKI public key, EC P-256.
  package static func isValid(
    signature: String, publicKeyPEM: String, date: String, body: [UInt8], subpath: String
  ) -> Bool {
    guard let raw = Base64.decode(signature),
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: raw),
      let key = try? P256.Signing.PublicKey(pemRepresentation: publicKeyPEM)
    else { return false }
    return messages(date: date, body: body, subpath: subpath).contains {
      key.isValidSignature(signature, for: Array($0.utf8))
    }
  }

  /// Whether that is a public key that requests can be signed for.
  package static func isPublicKey(_ pem: String) -> Bool {
    (try? P256.Signing.PublicKey(pemRepresentation: pem)) != nil
  }

  /// The signature of a request, in base64.
  package static func sign(
    privateKeyPEM: String, date: String, body: [UInt8], subpath: String
  ) throws -> String {
    let key = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
    let text = message(date: date, body: body, subpath: subpath)
    return Base64.encode(Array(try key.signature(for: Array(text.utf8)).derRepresentation))
  }
}
