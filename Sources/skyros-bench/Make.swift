import ArgumentParser
import FoundationEssentials
import Glibc

/// `skyros-bench make`: a CSV file of made-up places, for imports of any size.
struct Make: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Writes a CSV file of made-up places.")

  @Argument(help: "The CSV file to write.") var file: String
  @Option(help: "How many places.") var records = 1_000_000
  @Option(help: "The same seed makes the same places.") var seed: UInt64 = 1

  func run() async throws { try Self.write(records, seed: seed, to: file) }

  /// Writes `records` places to a new file, 1 MB at a time.
  static func write(_ records: Int, seed: UInt64, to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw ValidationError("can't write \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var sample = SampleRecords(seed: seed)
    var text = SampleRecords.header + "\n"
    for number in 1...max(1, records) {
      text += sample.next() + "\n"
      if text.utf8.count > 1 << 20 || number == records {
        let count = fwrite(text, 1, text.utf8.count, file)
        guard count == text.utf8.count else {
          throw ValidationError("can't write \(path): the disk is full?")
        }
        text = ""
      }
    }
  }
}
