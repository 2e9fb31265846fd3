// Asset files, named by the SHA-256 of what is in them. Any thread; blocking file calls.

internal import CloudKitWire
internal import Crypto
internal import Glibc

struct AssetFiles: Sendable {
  let folder: String
  let bytesMax: Int
  private let disk: @Sendable (_ path: String) -> DiskRoom

  init(
    folder: String, bytesMax: Int,
    disk: @escaping @Sendable (_ path: String) -> DiskRoom = { DiskRoom(of: $0) }
  ) throws {
    self.folder = folder
    self.bytesMax = bytesMax
    self.disk = disk
    try Self.makeFolder(folder)
    try Self.makeFolder(folder + "/incoming")
  }

  func path(_ digest: String) -> String {
    "\(folder)/\(digest.prefix(2))/\(digest.dropFirst(2))"
  }

  /// The size of a stored file; nil when it is not there.
  func bytes(_ digest: String) -> Int? {
    var status = stat()
    return stat(path(digest), &status) == 0 ? Int(status.st_size) : nil
  }

  /// Throws when what is left of the disk is kept for what makes room.
  fileprivate func checkRoom() throws {
    guard !disk(folder).isTight else { throw StorageFault.full }
  }

  /// Gives a received file, which is on disk when this returns, its name.
  ///
  /// Blocks.
  fileprivate func shelve(_ descriptor: Int32, from path: String, as digest: String) throws {
    let shelf = "\(folder)/\(digest.prefix(2))"
    try Self.makeFolder(shelf)
    guard fsync(descriptor) == 0, rename(path, self.path(digest)) == 0 else {
      throw errno == ENOSPC ? StorageFault.full : StorageFault.system(errno)
    }
    // The name is safe when its folder is.
    let directory = open(shelf, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  /// Begins taking a file in.
  func receive(name: String) throws -> IncomingAsset {
    try IncomingAsset(path: "\(folder)/incoming/\(name)", files: self)
  }

  /// Marks the file as wanted just now, which keeps it from being collected for a while.
  func touch(_ digest: String) {
    _ = utimes(path(digest), nil)
  }

  func remove(_ digest: String) {
    unlink(path(digest))
  }

  /// Digests of the files that nobody has touched since then, a bounded number.
  func untouched(since seconds: Int, limit: Int) -> [String] {
    var digests: [String] = []
    for shelf in Self.names(in: folder) where shelf.utf8.count == 2 {
      for name in Self.names(in: "\(folder)/\(shelf)") {
        var status = stat()
        guard stat("\(folder)/\(shelf)/\(name)", &status) == 0,
          status.st_mtim.tv_sec < seconds
        else { continue }
        digests.append(shelf + name)
        if digests.count >= limit { return digests }
      }
    }
    return digests
  }

  /// Removes what uploads that never ended have left.
  func removeAbandoned(since seconds: Int) {
    for name in Self.names(in: folder + "/incoming") {
      var status = stat()
      let path = "\(folder)/incoming/\(name)"
      if stat(path, &status) == 0, status.st_mtim.tv_sec < seconds { unlink(path) }
    }
  }

  /// Copies every file that the other folder lacks; a link where the disk allows it.
  func copyAll(to other: String) throws {
    try Self.makeFolder(other)
    for shelf in Self.names(in: folder) where shelf.utf8.count == 2 {
      try Self.makeFolder("\(other)/\(shelf)")
      for name in Self.names(in: "\(folder)/\(shelf)") {
        try Self.copy("\(folder)/\(shelf)/\(name)", to: "\(other)/\(shelf)/\(name)")
      }
    }
  }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StorageFault.system(errno) }
  }

  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func copy(_ source: String, to target: String) throws {
    if link(source, target) == 0 || errno == EEXIST { return }
    let input = open(source, O_RDONLY | O_CLOEXEC)
    // Collected since it was listed: nothing refers to it.
    guard input >= 0 else { return }
    defer { close(input) }
    let output = open(target + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw StorageFault.system(errno) }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { break }
      guard write(output, buffer, count) == count else { throw StorageFault.full }
    }
    guard fsync(output) == 0, rename(target + ".part", target) == 0 else {
      throw StorageFault.system(errno)
    }
  }
}

/// A file that is being received: hashed as it is written, named when it is whole.
final class IncomingAsset {
  private let path: String
  private let files: AssetFiles
  private let descriptor: Int32
  private var hash = SHA256()
  private(set) var size = 0
  private var isKept = false

  fileprivate init(path: String, files: AssetFiles) throws {
    self.path = path
    self.files = files
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == ENOSPC ? StorageFault.full : StorageFault.system(errno)
    }
  }

  deinit {
    close(descriptor)
    if !isKept { unlink(path) }
  }

  func append(_ bytes: [UInt8]) throws {
    size += bytes.count
    guard size <= files.bytesMax else {
      throw ServiceError(.badRequest, "An asset has at most \(files.bytesMax) bytes.")
    }
    try files.checkRoom()
    hash.update(data: bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw errno == ENOSPC || errno == EDQUOT
          ? StorageFault.full : StorageFault.system(errno)
      }
      done += count
    }
  }

  /// On disk under its name; returns its digest.
  func finish() async throws -> String {
    let digest = Hex.encode(hash.finalize())
    let (files, path, descriptor) = (files, path, descriptor)
    try await onThreadOfItsOwn { try files.shelve(descriptor, from: path, as: digest) }
    isKept = true
    return digest
  }
}
