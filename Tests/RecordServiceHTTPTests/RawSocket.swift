import Foundation

/// A connection on which a test says exactly the bytes that it means.
///
/// Blocks; for servers that are another process.
final class RawSocket {
  private let descriptor: Int32

  init(_ url: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (UInt16(url.split(separator: ":").last ?? "") ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    // Far above what any answer takes: a connection that is not ended fails the test.
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func say(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = send(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
          Int32(MSG_NOSIGNAL))
        guard count > 0 else { return }
        done += count
      }
    }
  }

  /// Says that nothing more will come.
  func endSaying() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// All that comes until the other side ends the connection; nil when it does not end it.
  func hear() -> String? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &piece, piece.count, 0)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      guard count > 0 else { return nil }
      bytes += piece[..<count]
    }
  }
}
