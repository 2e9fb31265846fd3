import ArgumentParser
import RecordService

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Server-to-server keys.",
    subcommands: [Add.self, ListCommand<Keys>.self, RevokeCommand<Keys>.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Register the public half of an EC P-256 key.")
    @Option(help: PlaceOptions.containerHelp) var container: String
    @Option(help: "A PEM file, or - for standard input.") var publicKey: String
    @Option(help: "An id of your own choice.") var keyID: String?
    @Option(help: "Let the key act as this user, in the private database too.")
    var user: String?
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let key = try await service.addKey(
        container: container, publicKeyPEM: try InputFile.text(publicKey), id: keyID, user: user)
      return .one(key.id, ["keyID": key.id])
    }
  }
}

enum Keys: Provisioned {
  static let words = ProvisionedWords(
    list: "List the keys.", revoke: "Revoke a key.", id: "The key's id.")

  static func rows(of service: RecordService, in place: Anywhere) async throws -> [Reply.Row] {
    try await service.keys().map {
      ["keyID": $0.id, "container": $0.container, "actsAs": $0.recordName]
    }
  }

  static func revoke(
    _ id: String, of service: RecordService, in place: Anywhere
  ) async throws -> String {
    guard try await service.revokeKey(id) else { throw CommandFault.unknownID(id) }
    return "Revoked \(id)."
  }
}
