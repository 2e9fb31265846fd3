// The benchmark program: makes libraries of any size and measures the figures that Skyros holds,
// each as a ratio against a reference in the same run. Nothing here is asserted by a timed test: a
// machine's mood is not a defect.

import ArgumentParser

@main
struct SkyrosBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skyros-bench",
    abstract: "Makes libraries of any size and measures what Skyros promises.",
    subcommands: [Make.self, LibraryFigures.self, ServiceBenchmark.self, SyncBenchmark.self])
}
