// Which libraries were open on this machine, the last one first: one path a line in the state folder.
// Losing the file loses nothing but the list. Any thread.

internal import FoundationEssentials

/// The paths of libraries that were open before.
enum KnownLibraries {
  private static var file: String { Places.stateFolder + "/libraries" }

  static func read() -> [String] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map(String.init)
  }

  static func keep(_ paths: [String]) {
    // A read-only home must not keep anybody from working.
    _ = try? FileManager.default.createDirectory(
      atPath: Places.stateFolder, withIntermediateDirectories: true)
    _ = try? paths.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
  }
}
