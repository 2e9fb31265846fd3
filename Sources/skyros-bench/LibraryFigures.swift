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

  func run() async throws {
    let libraries = Libraries(folder: folder, records: records)
    mkdir(folder, 0o700)
    if fresh { try Libraries.remove(libraries.library) }
    try libraries.make()
    var figures = try ScreenFigures(libraries: libraries).measure()
    figures += try await StoreFigures(libraries: libraries).measure()
    if !quick { figures += try await BulkFigures(libraries: libraries).measure() }
    Figure.show(figures)
  }
}
