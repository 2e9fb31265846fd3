// What has to be done now and then: forgetting, collecting, copying.

internal import Glibc

extension RecordService {
  /// Rows forgotten in one transaction.
  private static let pieceMax = 500

  /// Forgets what has had its time and collects files to which nothing refers.
  package func upkeep() async throws {
    let now = now
    let settings = settings
    var isMore = true
    while isMore {
      isMore = try await storage.write(.freeing) { storage in
        try storage.forgetTombstones(
          before: now - settings.tombstoneRetentionMilliseconds, limit: Self.pieceMax)
      }
    }
    try await storage.write(.freeing) { storage in
      try storage.forgetAnswers(before: now - settings.idempotencyMilliseconds)
      try storage.forgetNotifications(before: now - 7 * 86_400_000)
      try storage.forgetExpired(at: now)
    }
    try await collectAssets()
  }

  /// Twice the grace: a receipt that is still good names a file that is still there.
  private func collectAssets() async throws {
    let since = Int((now - 2 * settings.assetGraceMilliseconds) / 1_000)
    let files = assets
    let old = try await onThreadOfItsOwn {
      files.removeAbandoned(since: since)
      return files.untouched(since: since, limit: 10_000)
    }
    // Under the writers' lock, so that no record takes a file up while it goes.
    for start in stride(from: 0, to: old.count, by: Self.pieceMax) {
      let piece = Array(old[start..<min(start + Self.pieceMax, old.count)])
      try await storage.write(.freeing) { storage in
        for digest in try storage.unusedAssets(among: piece) { files.remove(digest) }
      }
    }
  }
}

/// Copies of a whole service: a folder with the file and its assets.
package enum ServiceBackup {
  private static let fileName = "service.sqlite"

  /// Whether a whole copy is in that folder.
  package static func isCopy(_ folder: String) -> Bool {
    access("\(folder)/\(fileName)", R_OK) == 0
  }

  /// Copies the service at that path, while it is in use, into a new folder.
  package static func make(
    of path: String, into folder: String, surroundings: ServiceSurroundings = .system
  ) async throws {
    guard access(path, R_OK) == 0 else { throw StorageFault.system(errno) }
    guard mkdir(folder, 0o700) == 0 else { throw StorageFault.system(errno) }
    let storage = try await SQLiteStorage.open(path: path, surroundings: surroundings)
    // Under its name at the end only, so that nothing restores half a copy.
    try await storage.copy(to: "\(folder)/\(fileName).part")
    try await storage.close()
    // After the rows: a file of which a row speaks is there for at least the grace.
    try await copyAssets(from: path + "-assets", to: "\(folder)/assets")
    try rename("\(folder)/\(fileName).part", to: "\(folder)/\(fileName)")
  }

  private static func rename(_ old: String, to new: String) throws {
    guard Glibc.rename(old, new) == 0 else { throw StorageFault.system(errno) }
  }

  private static func copyAssets(from folder: String, to other: String) async throws {
    try await onThreadOfItsOwn {
      try AssetFiles(folder: folder, bytesMax: 0).copyAll(to: other)
    }
  }

  /// Makes a service at that path, where there must be none, out of a copy, and begins a new
  /// epoch: what clients knew of the lost history is told apart from what is here.
  package static func restore(
    from folder: String, to path: String, surroundings: ServiceSurroundings = .system
  ) async throws {
    guard isCopy(folder) else { throw StorageFault.system(ENOENT) }
    guard access(path, F_OK) != 0 else { throw StorageFault.system(EEXIST) }
    let copy = try await SQLiteStorage.open(
      path: "\(folder)/\(fileName)", surroundings: surroundings)
    // The file takes its place when it is whole and has its epoch: killed before, there is none.
    let part = path + ".part"
    unlink(part)
    try await copy.copy(to: part)
    try await copy.close()
    try await copyAssets(from: "\(folder)/assets", to: path + "-assets")
    let storage = try await SQLiteStorage.open(path: part, surroundings: surroundings)
    let id = surroundings.random(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    try await storage.write { try $0.beginEpoch(id: id) }
    try await storage.close()
    guard access(part + "-wal", F_OK) != 0 else { throw StorageFault.busy }
    try rename(part, to: path)
    unlink(part + "-lock")
  }
}
