// The one shape of what an operator hands out: things of a kind are added, listed and revoked.
// Every such command opens the store, asks the service, and prints for a person or for a program.

import ArgumentParser
import CloudKitWire
import RecordService

/// A kind of thing that is listed and revoked.
protocol Provisioned {
  /// What has to be said to find such things.
  associatedtype Place: ParsableArguments = Anywhere

  static var words: ProvisionedWords { get }

  static func rows(of service: RecordService, in place: Place) async throws -> [Reply.Row]

  /// Takes one away; the sentence that says so.
  static func revoke(
    _ id: String, of service: RecordService, in place: Place
  ) async throws -> String
}

/// What the help says of a kind.
struct ProvisionedWords {
  let list: String
  let revoke: String
  /// What one is named by.
  let id: ArgumentHelp
}

/// Nothing has to be said.
struct Anywhere: ParsableArguments {}

/// A command that asks something of the service and prints the answer.
protocol ProvisioningCommand: AsyncParsableCommand {
  /// Whether the store is made when it is missing: by what a new service begins with.
  static var makesStore: Bool { get }

  var common: CommonOptions { get }

  func reply(of service: RecordService) async throws -> Reply
}

extension ProvisioningCommand {
  static var makesStore: Bool { false }

  func run() async throws {
    let isNew = try !common.store.exists()
    let service = try await common.store.open(making: Self.makesStore)
    let reply = try await reply(of: service)
    try await service.close()
    if isNew, !common.output.json { Output.line("Made the store \(try common.store.path()).") }
    reply.print(asJSON: common.output.json)
  }
}

struct ListCommand<Kind: Provisioned>: ProvisioningCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "list", abstract: Kind.words.list)
  }

  @OptionGroup var place: Kind.Place
  @OptionGroup var common: CommonOptions

  func reply(of service: RecordService) async throws -> Reply {
    .rows(try await Kind.rows(of: service, in: place))
  }
}

struct RevokeCommand<Kind: Provisioned>: ProvisioningCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "revoke", abstract: Kind.words.revoke)
  }

  @Argument(help: Kind.words.id) var id: String
  @OptionGroup var place: Kind.Place
  @OptionGroup var common: CommonOptions

  func reply(of service: RecordService) async throws -> Reply {
    .outcome(.revoked, try await Kind.revoke(id, of: service, in: place))
  }
}
