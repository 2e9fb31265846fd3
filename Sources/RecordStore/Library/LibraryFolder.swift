// Where the parts of a library lie. A library is a folder; everything that is one transaction is in
// its one SQLite file.

internal import Glibc

/// The paths inside `NAME.skyros/`.
struct LibraryFolder: Sendable, Hashable {
  let path: String

  init(_ path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  static let databaseName = "library.sqlite"

  var database: String { path + "/" + Self.databaseName }
  var drafts: String { path + "/drafts.sqlite" }
  var lock: String { path + "/library.lock" }
  var attachments: String { path + "/attachments" }
  var backups: String { path + "/backups" }

  /// Makes the folder and those above it; only its owner reads what is inside.
  func make() throws {
    try Self.makeFolder(path)
    try Self.makeFolder(attachments)
    try Self.makeFolder(backups)
  }

  /// Makes a folder and those above it where they are missing.
  static func makeFolder(_ path: String) throws {
    if isFolder(path) { return }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      try makeFolder(String(path[..<slash]))
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError.file(operation: "make a folder", path: path, code: errno)
    }
  }

  /// Whether the system lets us only look: a disk or a folder without writing, a file of another's.
  var isReadOnly: Bool {
    let parts: [String] = [path, database, lock]
    return parts.contains { access($0, W_OK) != 0 && [EACCES, EROFS, EPERM].contains(errno) }
  }

  static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }
}

extension LibraryFolder {
  /// Whether there is a file with something in it.
  static func hasBytes(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_size > 0
  }
}

/// What tells one file from its copies (invariant J6).
struct FileIdentity: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64

  init?(of path: String) { self.init(of: path, in: AT_FDCWD) }

  /// - Parameter folder: What a relative path begins at, as a descriptor.
  init?(of path: String, in folder: Int32) {
    var info = stat()
    guard fstatat(folder, path, &info, 0) == 0 else { return nil }
    device = UInt64(info.st_dev)
    inode = UInt64(info.st_ino)
  }

  var text: String { "\(device):\(inode)" }
}
