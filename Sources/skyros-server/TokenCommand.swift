import ArgumentParser
import RecordService

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "API tokens and signed-in sessions.",
    subcommands: [Add.self, ListCommand<Tokens>.self, RevokeCommand<Tokens>.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an API token and a web-auth token. They are shown this once.",
      discussion: "With --json it prints what 'skyros sync setup --token-file' reads.")
    @Option(help: "Whom the web-auth token signs in.") var user: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let tokens = try await service.addTokens(
        user: user, container: place.container, environment: place.environment)
      return .one(
        "API token:      \(tokens.apiToken)\nWeb-auth token: \(tokens.webAuthToken)",
        ["apiToken": tokens.apiToken, "webAuthToken": tokens.webAuthToken])
    }
  }
}

enum Tokens: Provisioned {
  static let words = ProvisionedWords(
    list: "List API tokens and sessions by their ids; secrets are not kept.",
    revoke: "Revoke an API token or a session, by its id or by itself.",
    id: "An id of the list, or the secret itself.")

  static func rows(of service: RecordService, in place: Anywhere) async throws -> [Reply.Row] {
    let names = Dictionary(
      uniqueKeysWithValues: try await service.users().map { ($0.number, $0.name) })
    let tokens = try await service.apiTokens().map {
      row($0.id, "api", $0.user.flatMap { names[$0] }, $0.container, $0.environment)
    }
    let sessions = try await service.sessions().map {
      row($0.id, "session", names[$0.user], $0.container, $0.environment)
    }
    return tokens + sessions
  }

  private static func row(
    _ id: String, _ kind: String, _ user: String?, _ container: String,
    _ environment: ServiceEnvironment
  ) -> Reply.Row {
    [
      "token": id, "kind": kind, "user": user, "container": container,
      "environment": environment.rawValue,
    ]
  }

  static func revoke(
    _ id: String, of service: RecordService, in place: Anywhere
  ) async throws -> String {
    guard try await service.revokeToken(id) else { throw CommandFault.unknownID(id) }
    return "Revoked."
  }
}
