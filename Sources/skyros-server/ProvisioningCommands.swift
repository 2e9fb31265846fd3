// user, token, key and zone: add, list, revoke.

import ArgumentParser
import CloudKitWire
import RecordService

struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "The people of the service.",
    subcommands: [Add.self, List.self, Revoke.self, Code.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "Add a user.")
    @Argument(help: "A name for the operator's eyes.") var name: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let user = try await service.addUser(name)
      return .one("Added the user \(user.name).", ["user": user.name])
    }
  }

  struct List: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "List the users.")
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      .rows(try await service.users().map { ["user": $0.name, "recordName": $0.recordName] })
    }
  }

  struct Revoke: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a user with all records, tokens and keys that are his.")
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      try await service.removeUser(name)
      return .outcome(.revoked, "Removed the user \(name) and all that was his.")
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

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "API tokens and signed-in sessions.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an API token and a web-auth token. They are shown this once.")
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

  struct List: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "List API tokens and sessions by their ids; secrets are not kept.")
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let names = Dictionary(
        uniqueKeysWithValues: try await service.users().map { ($0.number, $0.name) })
      let tokens = try await service.apiTokens().map {
        Self.row($0.id, "api", nil, $0.container, $0.environment)
      }
      let sessions = try await service.sessions().map {
        Self.row($0.id, "session", names[$0.user], $0.container, $0.environment)
      }
      return .rows(tokens + sessions)
    }

    private static func row(
      _ id: String, _ kind: String, _ user: String?, _ container: String,
      _ environment: ServiceEnvironment
    ) -> KeyValuePairs<String, String?> {
      [
        "token": id, "kind": kind, "user": user, "container": container,
        "environment": environment.rawValue,
      ]
    }
  }

  struct Revoke: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke an API token or a session, by its id or by itself.")
    @Argument(help: "An id of the list, or the secret itself.") var id: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      guard try await service.revokeToken(id) else { throw CommandFault.unknownID(id) }
      return .outcome(.revoked, "Revoked.")
    }
  }
}

struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Server-to-server keys.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Register the public half of an EC P-256 key.")
    @Option(help: "The container id.") var container: String
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

  struct List: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "List the keys.")
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      .rows(
        try await service.keys().map {
          ["keyID": $0.id, "container": $0.container, "actsAs": $0.recordName]
        })
    }
  }

  struct Revoke: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke a key.")
    @Argument(help: "The key's id.") var id: String
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      guard try await service.revokeKey(id) else { throw CommandFault.unknownID(id) }
      return .outcome(.revoked, "Revoked \(id).")
    }
  }
}

struct ZoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone", abstract: "Zones of a user's private database.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "Make a zone.")
    @Argument(help: "The zone's name.") var zone: String
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      try await service.addZone(
        zone, user: owner.user, container: owner.place.container,
        environment: owner.place.environment)
      return .one("Made the zone \(zone).", ["zone": zone])
    }
  }

  struct List: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "List the zones.")
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let zones = try await service.zones(
        user: owner.user, container: owner.place.container,
        environment: owner.place.environment)
      return .rows(zones.map { ["zone": $0] })
    }
  }

  struct Revoke: ProvisioningCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a zone with its records.")
    @Argument(help: "The zone's name.") var zone: String
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      try await service.removeZone(
        zone, user: owner.user, container: owner.place.container,
        environment: owner.place.environment)
      return .outcome(.revoked, "Deleted the zone \(zone).")
    }
  }
}
