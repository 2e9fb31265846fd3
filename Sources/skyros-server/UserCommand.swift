import ArgumentParser
import RecordService

struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "The people of the service.",
    subcommands: [Add.self, ListCommand<Users>.self, RevokeCommand<Users>.self, Code.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user; the first one makes the store.")
    static let makesStore = true
    @Argument(help: "A name for the operator's eyes.") var name: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let user = try await service.addUser(name)
      return .one("Added the user \(user.name).", ["user": user.name])
    }
  }

  struct Code: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a code with which a user signs in on the page, once, within ten minutes.")
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let code = try await service.makeSignInCode(user: name)
      return .one(code, ["code": code])
    }
  }
}

enum Users: Provisioned {
  static let words = ProvisionedWords(
    list: "List the users.",
    revoke: "Remove a user with all records, tokens and keys that are his.",
    id: "The user's name.")

  static func rows(of service: RecordService, in place: Anywhere) async throws -> [Reply.Row] {
    try await service.users().map { ["user": $0.name, "recordName": $0.recordName] }
  }

  static func revoke(
    _ id: String, of service: RecordService, in place: Anywhere
  ) async throws -> String {
    try await service.removeUser(id)
    return "Removed the user \(id) and all that was his."
  }
}
