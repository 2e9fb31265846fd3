import Foundation
import Testing

/// Generated files that a test holds: recorded anew only on demand (SKYROS_RECORD=1), which fails the
/// run so that nobody overlooks it.
enum Golden {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()

  static func expect(_ text: String, in path: String) throws {
    let file = root.appending(path: path)
    if ProcessInfo.processInfo.environment["SKYROS_RECORD"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(path): look at the difference and run again")
      return
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(recorded == text, "\(path) is not what the code says; record it anew if it should be")
  }
}
