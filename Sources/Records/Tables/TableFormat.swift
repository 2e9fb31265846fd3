/// How a file's text is laid out as a table.
package enum TableFormat: Hashable, Sendable {
  case csv(delimiter: UInt8)
  /// An array of objects, or objects one after the other.
  case json
  /// One object a line.
  case ndjson

  /// How many bytes of a file are enough to tell its encoding and format from.
  package static let headBytes = 64 << 10

  /// Tells the format from a file's name and its first text.
  ///
  /// - Parameter head: Decoded to UTF-8; it may end anywhere.
  package static func detect(name: String, head: [UInt8]) -> TableFormat {
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch suffix {
    case "ndjson", "jsonl": return .ndjson
    case "json": return .json
    case "tsv", "tab": return .csv(delimiter: 0x09)
    case "csv": return .csv(delimiter: CSVReader.delimiter(of: head))
    default: break
    }
    let first = head.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if first == UInt8(ascii: "[") { return .json }
    guard first == UInt8(ascii: "{") else { return .csv(delimiter: CSVReader.delimiter(of: head)) }
    let line = head.prefix { $0 != 0x0A }
    return (try? JSON.read(Array(line))) == nil ? .json : .ndjson
  }
}
