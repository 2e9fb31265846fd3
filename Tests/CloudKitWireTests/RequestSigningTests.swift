import CloudKitWire
import Crypto
import Testing

struct RequestSigningTests {
  private let key = P256.Signing.PrivateKey()
  private let date = "2016-01-25T22:15:43Z"
  private let path = "/database/1/iCloud.x/development/public/records/query?a=b"

  private func isValid(_ signature: String, date: String, body: [UInt8], path: String) -> Bool {
    RequestSigning.isValid(
      signature: signature, publicKeyPEM: key.publicKey.pemRepresentation, date: date,
      body: body, subpath: path)
  }

  @Test func `a signature covers date, body and path`() throws {
    let body = Array("{}".utf8)
    let signature = try RequestSigning.sign(
      privateKeyPEM: key.pemRepresentation, date: date, body: body, subpath: path)
    #expect(isValid(signature, date: date, body: body, path: path))
    #expect(!isValid(signature, date: "2016-01-25T22:15:44Z", body: body, path: path))
    #expect(!isValid(signature, date: date, body: body + [32], path: path))
    #expect(!isValid(signature, date: date, body: body, path: path + "c"))
    #expect(!isValid("AAAA", date: date, body: body, path: path))
    #expect(!isValid("*", date: date, body: body, path: path))
  }

  @Test func `an empty body is signed in either form`() throws {
    let hashed = "\(date):47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:\(path)"
    let bare = "\(date)::\(path)"
    for message in [hashed, bare] {
      let raw = try key.signature(for: Array(message.utf8)).derRepresentation
      #expect(isValid(Base64.encode(Array(raw)), date: date, body: [], path: path))
    }
    let raw = try key.signature(for: Array(bare.utf8)).derRepresentation
    #expect(!isValid(Base64.encode(Array(raw)), date: date, body: [1], path: path))
  }
}
