// backup and restore of the whole service, and files that commands read.

import ArgumentParser
import CloudKitWire
import Glibc
import RecordService

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the whole service into a new folder, also while it runs.")
  @Argument(help: "A folder that does not exist yet.") var folder: String
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let path = try common.store.path()
    guard try common.store.exists() else { throw CommandFault.noStore(path: path) }
    guard access(folder, F_OK) != 0 else { throw CommandFault.folderExists(folder) }
    guard access(path, R_OK) == 0 else { throw CommandFault.unreadable(path: path) }
    try await ServiceBackup.make(of: path, into: folder)
    Reply.outcome(.done, "Copied the service to \(folder).").print(asJSON: common.output.json)
  }
}

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a service out of a copy. The store must not exist yet.")
  @Argument(help: "A folder that backup made.") var folder: String
  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard ServiceBackup.isCopy(folder) else { throw CommandFault.noCopy(folder) }
    let path = try common.store.path()
    guard try !common.store.exists() else { throw CommandFault.storeExists(path) }
    try common.store.makeFolder()
    try await ServiceBackup.restore(from: folder, to: path)
    Reply.outcome(.done, "Restored the service from \(folder).")
      .print(asJSON: common.output.json)
  }
}

enum InputFile {
  /// Files of a command are small; this bounds a mistake.
  private static let bytesMax = 65_536

  static func text(_ path: String) throws -> String {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFault.unreadable(path: path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < bytesMax {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFault.unreadable(path: path)
    }
    return text
  }
}
