// Attached files, kept under the SHA-256 of their content: the same file attached twice is kept once,
// and a damaged one is noticed. Content is streamed, never whole in memory.
//
// A file becomes visible under its hash only when it is complete and on disk (write aside, fsync,
// rename), so that a crash leaves at most a file aside, which the next collection takes away.

internal import Crypto
internal import Glibc
internal import Records
internal import Synchronization

/// The folder of a library's attachments.
final class AttachmentFolder: Sendable {
  /// How much is read and hashed at a time: large enough for the disk, small beside the program.
  static let chunkBytes = 256 * 1024
  /// The largest file that is taken in.
  ///
  /// The service's own bound on an asset is lower; a file past that stays on this machine and says
  /// so.
  static let fileBytesMax: Int64 = 4 << 30

  /// Nothing until the first attachment of a library in memory.
  private let location: Mutex<String?>
  private let isTemporary: Bool

  init(path: String) {
    location = Mutex(path)
    isTemporary = false
  }

  /// A folder of its own in the system's temporary one, for a library in memory.
  init() {
    location = Mutex(nil)
    isTemporary = true
  }

  deinit {
    if isTemporary, let path = location.withLock({ $0 }) { Self.removeTree(path) }
  }

  // MARK: In

  /// Takes a file in and answers what a record says of it.
  ///
  /// - Parameters:
  ///   - path: The file to read. It is not changed.
  ///   - name: What the attachment is called; the file's own name where nothing is given.
  func take(_ path: String, name: String?) throws -> Attachment {
    let source = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else {
      throw StoreError.file(operation: "read", path: path, code: errno)
    }
    defer { Glibc.close(source) }
    var info = stat()
    guard fstat(source, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw StoreError.file(operation: "attach", path: path, code: EISDIR)
    }
    // By scalars: a name may begin with a mark that joins the slash before it.
    let own = path.unicodeScalars.split(separator: "/").last.map(String.init) ?? path
    return try take(name: name ?? own, from: path) { buffer in
      while true {
        let count = Glibc.read(source, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR else {
          throw StoreError.file(operation: "read", path: path, code: errno)
        }
      }
    }
  }

  /// Takes in what `read` fills its buffer with, until it answers 0 bytes.
  func take(
    name: String, from source: String, read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Attachment {
    let folder = try made()
    var template = Array("\(folder)/.incoming-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    let aside = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard target >= 0 else {
      throw StoreError.file(operation: "write", path: folder, code: errno)
    }
    var isKept = false
    defer {
      Glibc.close(target)
      if !isKept { unlink(aside) }
    }
    var hasher = SHA256()
    var size: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try read(buffer)
      guard count > 0 else { break }
      size += Int64(count)
      guard size <= Self.fileBytesMax else {
        throw StoreError.file(operation: "attach", path: source, code: EFBIG)
      }
      let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hasher.update(bufferPointer: chunk)
      try Self.write(chunk, to: target, path: aside)
    }
    let hash = Self.hex(hasher.finalize())
    guard fsync(target) == 0 else {
      throw StoreError.file(operation: "write", path: aside, code: errno)
    }
    try keep(aside, as: hash, in: folder)
    isKept = true
    return Attachment(hash: hash, name: name, size: size)
  }

  private func keep(_ aside: String, as hash: String, in folder: String) throws {
    let path = try filePath(of: hash)
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try LibraryFolder.makeFolder(parent)
    guard rename(aside, path) == 0 else {
      throw StoreError.file(operation: "write", path: path, code: errno)
    }
    // The names are on disk before a commit may speak of them.
    for name in [parent, folder] {
      let directory = Glibc.open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard directory >= 0 else { continue }
      fsync(directory)
      Glibc.close(directory)
    }
  }

  // MARK: From other devices

  /// Where content that is being received lies until it is whole.
  func incomingPath(of hash: String) throws -> String {
    guard Self.isHash(hash) else { throw StoreError.attachmentMissing(hash: hash) }
    return "\(try made())/.incoming-\(hash)"
  }

  func keepIncoming(_ aside: String, as hash: String) throws {
    try keep(aside, as: hash, in: try made())
  }

  /// Whether the content of a hash is here.
  func has(_ hash: String) -> Bool {
    guard Self.isHash(hash), let folder = location.withLock({ $0 }) else { return false }
    return LibraryFolder.isFile("\(folder)/\(hash.prefix(2))/\(hash)")
  }

  // MARK: Out

  /// Where an attachment's content lies.
  ///
  /// - Throws: ``StoreError/attachmentMissing(hash:)`` when it is not here (yet).
  func existingPath(of hash: String) throws -> String {
    let path = try filePath(of: hash)
    guard LibraryFolder.isFile(path) else { throw StoreError.attachmentMissing(hash: hash) }
    return path
  }

  /// Reads an attachment's content to its end, checking its hash.
  ///
  /// - Throws: ``StoreError/attachmentDamaged(hash:)`` when the content is not what it was; what `body`
  ///   was handed until then must be thrown away.
  func read(_ hash: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let path = try existingPath(of: hash)
    let source = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else {
      throw StoreError.file(operation: "read", path: path, code: errno)
    }
    defer { Glibc.close(source) }
    var hasher = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(source, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw StoreError.file(operation: "read", path: path, code: errno)
      }
      if count == 0 { break }
      let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hasher.update(bufferPointer: chunk)
      try body(chunk)
    }
    guard Self.hex(hasher.finalize()) == hash else {
      throw StoreError.attachmentDamaged(hash: hash)
    }
  }

  /// Copies an attachment's content to a new file beside its final name, and puts it there only
  /// when it is whole and as it was.
  ///
  /// A file that is there already is not touched.
  func copy(_ hash: String, to path: String) throws {
    let aside = try AsideFile(besides: path)
    defer { aside.discard() }
    let target = Glibc.open(aside.path, O_WRONLY | O_CLOEXEC)
    guard target >= 0 else {
      throw StoreError.file(operation: "write", path: path, code: errno)
    }
    do {
      defer { Glibc.close(target) }
      try read(hash) { try Self.write($0, to: target, path: path) }
    }
    try aside.settle()
  }

  // MARK: Looking after the folder

  /// One file of the folder.
  struct Entry {
    let path: String
    /// Nothing for what a crash left aside.
    let hash: String?
    let size: Int64
    let modified: Timestamp
  }

  /// Every file of the folder.
  func forEachEntry(_ body: (Entry) throws -> Void) throws {
    guard let folder = location.withLock({ $0 }) else { return }
    for name in Self.names(in: folder) {
      let path = "\(folder)/\(name)"
      if name.hasPrefix(".incoming-") {
        if let entry = Self.entry(path, hash: nil) { try body(entry) }
        continue
      }
      for hash in Self.names(in: path) where Self.isHash(hash) {
        if let entry = Self.entry("\(path)/\(hash)", hash: hash) { try body(entry) }
      }
    }
  }

  func remove(_ entry: Entry) throws {
    guard unlink(entry.path) == 0 || errno == ENOENT else {
      throw StoreError.file(operation: "remove", path: entry.path, code: errno)
    }
  }

  /// 64 lower-case hexadecimal digits: anything else is no hash, and must not become a path.
  static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private func filePath(of hash: String) throws -> String {
    guard Self.isHash(hash) else { throw StoreError.attachmentMissing(hash: hash) }
    return "\(try made())/\(hash.prefix(2))/\(hash)"
  }

  private func made() throws -> String {
    try location.withLock { location in
      if let path = location {
        try LibraryFolder.makeFolder(path)
        return path
      }
      let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(base)/skyros-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw StoreError.file(operation: "make a folder", path: base, code: errno)
      }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      location = path
      return path
    }
  }
}

extension AttachmentFolder {
  static func hex(_ digest: SHA256Digest) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    for byte in digest {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw StoreError.file(operation: "write", path: path, code: errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  fileprivate static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var result: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted()
  }

  fileprivate static func entry(_ path: String, hash: String?) -> Entry? {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    let time = Int64(info.st_mtim.tv_sec) * 1000 + Int64(info.st_mtim.tv_nsec) / 1_000_000
    return Entry(
      path: path, hash: hash, size: Int64(info.st_size), modified: Timestamp(milliseconds: time))
  }

  fileprivate static func removeTree(_ path: String) {
    for name in names(in: path) {
      let child = "\(path)/\(name)"
      if LibraryFolder.isFolder(child) { removeTree(child) } else { unlink(child) }
    }
    rmdir(path)
  }
}
