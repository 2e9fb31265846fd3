// user, token, key and zone: add, list, revoke.

import ArgumentParser
import CloudKitWire
import RecordService

struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "The people of the service.",
    subcommands: [Add.self, List.self, Revoke.self, Code.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a user.")
    @Argument(help: "A name for the operator's eyes.") var name: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let user = try await store.open().addUser(name)
      guard output.json else { return Output.line("Added the user \(user.name).") }
      Output.json { writer in writer.object { $0.member("user", user.name) } }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the users.")
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let users = try await store.open().users()
      guard output.json else {
        for user in users { Output.line("\(user.name)\t\(user.recordName)") }
        return
      }
      Output.json { writer in
        writer.array { writer in
          for user in users {
            writer.object {
              $0.member("user", user.name)
              $0.member("recordName", user.recordName)
            }
          }
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a user with all records, tokens and keys that are his.")
    @Argument var name: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await store.open().removeUser(name)
      Outcome.revoked.print(output, "Removed the user \(name) and all that was his.")
    }
  }

  struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a code with which a user signs in on the page, once, within ten minutes.")
    @Argument var name: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let code = try await store.open().makeSignInCode(user: name)
      guard output.json else { return Output.line(code) }
      Output.json { writer in writer.object { $0.member("code", code) } }
    }
  }
}

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "API tokens and signed-in sessions.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an API token and a web-auth token. They are shown this once.")
    @Option(help: "Whom the web-auth token signs in.") var user: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let tokens = try await store.open().addTokens(
        user: user, container: place.container, environment: place.environment)
      guard output.json else {
        Output.line("API token:      \(tokens.apiToken)")
        Output.line("Web-auth token: \(tokens.webAuthToken)")
        return
      }
      Output.json { writer in
        writer.object {
          $0.member("apiToken", tokens.apiToken)
          $0.member("webAuthToken", tokens.webAuthToken)
        }
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List API tokens and sessions by their ids; secrets are not kept.")
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let service = try await store.open()
      let names = Dictionary(
        uniqueKeysWithValues: try await service.users().map { ($0.number, $0.name) })
      var rows: [(id: String, kind: String, user: String?, container: String, place: String)] = []
      for token in try await service.apiTokens() {
        rows.append((token.id, "api", nil, token.container, token.environment.rawValue))
      }
      for session in try await service.sessions() {
        rows.append(
          (
            session.id, "session", names[session.user], session.container,
            session.environment.rawValue
          ))
      }
      guard output.json else {
        for row in rows {
          Output.line("\(row.id)\t\(row.kind)\t\(row.user ?? "-")\t\(row.container)\t\(row.place)")
        }
        return
      }
      Output.json { writer in
        writer.array { writer in
          for row in rows {
            writer.object {
              $0.member("token", row.id)
              $0.member("kind", row.kind)
              $0.member("user", row.user)
              $0.member("container", row.container)
              $0.member("environment", row.place)
            }
          }
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke an API token or a session, by its id or by itself.")
    @Argument var id: String
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      guard try await store.open().revokeToken(id) else { throw CommandFault.unknownID(id) }
      Outcome.revoked.print(output, "Revoked.")
    }
  }
}

struct ZoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone", abstract: "Zones of a user's private database.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a zone.")
    @Argument(help: "The zone's name.") var zone: String
    @Option var user: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await store.open().addZone(
        zone, user: user, container: place.container, environment: place.environment)
      guard output.json else { return Output.line("Made the zone \(zone).") }
      Output.json { writer in writer.object { $0.member("zone", zone) } }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the zones.")
    @Option var user: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let zones = try await store.open().zones(
        user: user, container: place.container, environment: place.environment)
      guard output.json else {
        for zone in zones { Output.line(zone) }
        return
      }
      Output.json { writer in
        writer.array { writer in
          for zone in zones { writer.object { $0.member("zone", zone) } }
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a zone with its records.")
    @Argument var zone: String
    @Option var user: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await store.open().removeZone(
        zone, user: user, container: place.container, environment: place.environment)
      Outcome.revoked.print(output, "Deleted the zone \(zone).")
    }
  }
}

/// What a command without other data answers.
enum Outcome: String {
  case revoked, done

  func print(_ output: OutputOptions, _ sentence: String) {
    guard output.json else { return Output.line(sentence) }
    Output.json { writer in writer.object { $0.member("outcome", rawValue) } }
  }
}
