internal import ArgumentParser
internal import Glibc
internal import RecordStore
internal import Screens

/// `skyros demo`: a sample library with a second device at work.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Open a sample library, with a second device at work.",
    discussion: """
      Makes a library of cities, a record service in a file beside it, and a second device that edits \
      now and then, also the record you are on. Press S for the sync, C for the conflicts. Every \
      demo begins anew; nothing of it runs on when you leave.
      """)

  mutating func run() async throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure.needsTerminal
    }
    let place = try DemoPlace(in: Places.dataFolder)
    let (library, second) = try await place.make()
    try await Interface.open({ library }) { desk in
      desk.welcome()
      let device = SecondDevice(library: second, services: ProgramSyncServices()) { [weak desk] in
        await desk?.lookedAt
      }
      return Task { await device.run(beside: library) }
    }
    place.release()
    let output = Output()
    try output.line("The demo is over, and nothing of it runs. It lies in \(place.folder):")
    try output.line("  your library      skyros --library \(place.library)")
    try output.line("  second device     skyros --library \(place.second)")
    try output.line("  service           file:\(place.service)")
    try output.line("The next skyros demo begins anew.")
    try output.flush()
  }
}
