import ArgumentParser
import RecordService

struct ZoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone", abstract: "Zones of a user's private database.",
    subcommands: [Add.self, ListCommand<Zones>.self, RevokeCommand<Zones>.self])

  struct Add: ProvisioningCommand {
    static let configuration = CommandConfiguration(abstract: "Make a zone.")
    @Argument(help: Zones.words.id) var zone: String
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var common: CommonOptions

    func reply(of service: RecordService) async throws -> Reply {
      let place = owner.place
      try await service.addZone(
        zone, user: owner.user, container: place.container, environment: place.environment)
      return .one("Made the zone \(zone).", ["zone": zone])
    }
  }
}

enum Zones: Provisioned {
  static let words = ProvisionedWords(
    list: "List the zones.", revoke: "Delete a zone with its records.", id: "The zone's name.")

  static func rows(of service: RecordService, in owner: OwnerOptions) async throws -> [Reply.Row] {
    try await service.zones(
      user: owner.user, container: owner.place.container, environment: owner.place.environment
    ).map { ["zone": $0] }
  }

  static func revoke(
    _ id: String, of service: RecordService, in owner: OwnerOptions
  ) async throws -> String {
    try await service.removeZone(
      id, user: owner.user, container: owner.place.container,
      environment: owner.place.environment)
    return "Deleted the zone \(id)."
  }
}
