// `skyros-bench library`: the figures of DESIGN.md 8 that one library can show.

import ArgumentParser
import FoundationEssentials
import Glibc

struct LibraryFigures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Measures importing, opening, browsing, searching and saving.")

  @Option(help: "How many records.") var records = 1_000_000
  @Option(help: "Where libraries are made and kept for the next run.") var folder: String
  @Flag(help: "Import anew, although there is a library from an earlier run.") var fresh = false
  @Flag(help: "Leave out what imports, exports and undoes.") var quick = false
  @Option(help: "Only one part of the figures.") var only: Part?

  enum Part: String, ExpressibleByArgument, CaseIterable {
    case screen, text, store, bulk
  }

  func run() async throws {
    let libraries = Libraries(folder: folder, records: records)
    mkdir(folder, 0o700)
    if fresh { try Libraries.remove(libraries.library) }
    try libraries.make()
    var figures: [Figure] = []
    if takes(.screen) { figures += try ScreenFigures(libraries: libraries).measure() }
    if takes(.text) { figures += try LongTextFigures(libraries: libraries).measure() }
    if takes(.store) { figures += try await StoreFigures(libraries: libraries).measure() }
    if takes(.bulk) { figures += try await BulkFigures(libraries: libraries).measure() }
    Figure.show(figures)
  }

  private func takes(_ part: Part) -> Bool {
    only.map { $0 == part } ?? (part != .bulk || !quick)
  }
}
