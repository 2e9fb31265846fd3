// Who else serves the same store. Several servers on one store work: writers take turns, changes
// wake the readers of all, and URLs and tokens of one are good at the other. An operator is told of
// it all the same, for it is seldom what he meant.

internal import Glibc

/// A mark on the store that dies with its process: a shared lock on the folder of its assets.
package final class ServerPresence: Sendable {
  /// Whether nobody else was there at the start.
  package let isAlone: Bool
  private let descriptor: Int32

  /// Marks the store at that path, which has been opened before.
  package static func join(storeAt path: String) async throws -> ServerPresence {
    try await onThreadOfItsOwn { try ServerPresence(folder: path + "-assets") }
  }

  private init(folder: String) throws {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageFault.system(errno) }
    isAlone = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    // Waits for no longer than another newcomer takes to look around.
    guard flock(descriptor, LOCK_SH) == 0 else { throw StorageFault.system(errno) }
  }

  deinit { close(descriptor) }
}
