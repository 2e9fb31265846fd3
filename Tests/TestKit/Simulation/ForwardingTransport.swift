// What wrappers of a transport that only meddle with calls have in common: files go through as they
// are.

package import Sync

package protocol ForwardingTransport: SyncTransport {
  var inner: any SyncTransport { get }
}

extension ForwardingTransport {
  package func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.upload(content, to: address)
  }

  package func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.download(address, from: offset, take)
  }

  package func close() async {}
}
