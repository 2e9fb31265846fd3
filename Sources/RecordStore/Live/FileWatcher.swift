// Notices what other processes commit: inotify(7) on the library's folder wakes a thread, which asks
// for what the log has beyond the last number that was told. No polling, no timer: idle is idle.

internal import Glibc
internal import GRDB
internal import Records
internal import Synchronization

extension Library {
  /// Tells the lists of a commit, in the order of the log.
  ///
  /// Runs on the writer's queue for commits of this process.
  func publish(_ commit: Commit) {
    commitFeed.publish(commit)
  }

  func watchFile(_ folder: LibraryFolder) throws {}
}

extension CommitFeed {
  func publish(_ commit: Commit) { broadcast.send(commit) }
}
