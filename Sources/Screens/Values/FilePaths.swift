// Paths as people type them: completed, with ~ for the home folder. It looks at names only, never
// into files. Any thread.

internal import Glibc

/// Completion of file paths.
enum FilePaths {
  /// More are not shown.
  private static let completionsMax = 200

  /// `~` made the home folder.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// The path from the root, `~` made the home folder.
  static func absolute(_ path: String) -> String {
    let expanded = expanded(path)
    guard !expanded.hasPrefix("/"), let folder = getcwd(nil, 0) else { return expanded }
    defer { free(folder) }
    return String(cString: folder) + "/" + expanded
  }

  static func isFile(_ path: String) -> Bool {
    var about = stat()
    guard stat(expanded(path), &about) == 0 else { return false }
    return about.st_mode & S_IFMT == S_IFREG
  }

  static func exists(_ path: String) -> Bool { access(expanded(path), F_OK) == 0 }

  static func isFolder(_ path: String) -> Bool {
    var about = stat()
    guard stat(expanded(path), &about) == 0 else { return false }
    return about.st_mode & S_IFMT == S_IFDIR
  }

  /// Paths that begin with what is typed, folders with a slash at their end.
  static func completions(of path: String) -> [String] {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = String(path[..<cut])
    let start = path[cut...]
    guard let stream = opendir(folder.isEmpty ? "." : expanded(folder)) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream), found.count < completionsMax {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.hasPrefix(start),
        !name.hasPrefix(".") || start.hasPrefix(".")
      else { continue }
      let whole = folder + name
      found.append(isFolder(whole) ? whole + "/" : whole)
    }
    return found.sorted()
  }
}
