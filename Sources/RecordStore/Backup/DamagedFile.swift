// A library's file that can't be used, with what belongs to it, kept aside under names of its own.

internal import Glibc

struct DamagedFile {
  private static let suffixes = ["", "-wal", "-shm"]

  private let original: String
  /// Where the file is kept.
  let place: String

  init(of folder: LibraryFolder, at milliseconds: Int64) throws {
    try LibraryFolder.makeFolder(folder.backups)
    original = folder.database
    place = "\(folder.backups)/damaged-\(milliseconds).sqlite"
  }

  func setAside() throws {
    for suffix in Self.suffixes where access(original + suffix, F_OK) == 0 {
      guard rename(original + suffix, place + suffix) == 0 else {
        throw StoreError.file(operation: "rename", path: original + suffix, code: errno)
      }
    }
  }

  func putBack() {
    for suffix in Self.suffixes {
      unlink(original + suffix)
      rename(place + suffix, original + suffix)
    }
  }
}
