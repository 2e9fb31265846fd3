// key: add, list, revoke; backup and restore of the whole service.

import ArgumentParser
import CloudKitWire
import Glibc
import RecordService

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Server-to-server keys.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Register the public half of an EC P-256 key.")
    @Option(help: "The container id.") var container: String
    @Option(help: "A PEM file, or - for standard input.") var publicKey: String
    @Option(help: "An id of your own choice.") var keyID: String?
    @Option(help: "Let the key act as this user, in the private database too.")
    var user: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pem = try InputFile.text(publicKey)
      let key = try await store.open().addKey(
        container: container, publicKeyPEM: pem, id: keyID, user: user)
      guard output.json else { return Output.line(key.id) }
      Output.json { writer in writer.object { $0.member("keyID", key.id) } }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the keys.")
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let keys = try await store.open().keys()
      guard output.json else {
        for key in keys { Output.line("\(key.id)\t\(key.container)") }
        return
      }
      Output.json { writer in
        writer.array { writer in
          for key in keys {
            writer.object {
              $0.member("keyID", key.id)
              $0.member("container", key.container)
              $0.member("actsAs", key.recordName)
            }
          }
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke a key.")
    @Argument var id: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      guard try await store.open().revokeKey(id) else { throw CommandFault.unknownID(id) }
      Outcome.revoked.print(output, "Revoked \(id).")
    }
  }
}

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the whole service into a new folder, also while it runs.")
  @Argument(help: "A folder that does not exist yet.") var folder: String
  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try ServiceBackup.make(of: try store.path(), into: folder)
    Outcome.done.print(output, "Copied the service to \(folder).")
  }
}

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a service out of a copy. The store must not exist yet.")
  @Argument(help: "A folder that backup made.") var folder: String
  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await ServiceBackup.restore(from: folder, to: try store.path())
    Outcome.done.print(output, "Restored the service from \(folder).")
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
