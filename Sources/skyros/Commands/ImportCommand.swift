internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Screens
internal import Wording

/// `skyros import FILE --type TYPE`: a table's rows as records, in one transaction.
struct ImportCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import CSV, TSV, JSON or NDJSON, in one transaction.",
    discussion: """
      Format and encoding are told from the file, and named in the report. A type that the library \
      does not have is made from the file's columns and values. Rows that can't be taken are named \
      on standard error; the others are imported. Ctrl-C takes everything back.

      Exit status: 0 when any row was taken, also when others were refused (--json counts them as \
      refusedCount); 1 when none was.
      """)

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(parsing: .unconditional, help: "The type that the rows are of.") var type: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The field by which a row updates a record.", valueName: "field"))
  var key: String?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Put a column into a field of another name; column= leaves it out.",
      valueName: "column=field"))
  var map: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The file's encoding, if it is told wrongly.", valueName: "name"))
  var encoding: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What stands between the values, if it is told wrongly: a character, or tab.",
      valueName: "character"))
  var separator: String?
  @Flag(help: "Say what would happen, and change nothing.") var dryRun = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let request = try request(path: file)
    let meter = ImportMeter()
    defer { meter.clear() }
    do {
      let report = try await WriterWait.telling(in: library) {
        var request = request
        request.path = try await TableInput.opened(file, encoding: request.encoding).path
        return try await library.importTable(request) { meter.show($0) }
      }
      meter.clear()
      try finish(report, model: library.model, output)
    } catch let error as ImportError {
      meter.clear()
      try finish(error, model: library.model, output)
      throw error
    }
  }

  /// What failed for its rows is told like what did not; what failed as a whole took nothing.
  private func finish(_ error: ImportError, model: Model, _ output: Output) throws {
    if case .tookNone(let report) = error { return try finish(report, model: model, output) }
    guard format.json, error.exitStatus == .failed else { return }
    try output.line(json(nil, type: model.type(named: type)?.name ?? type))
  }

  private func request(path: String) throws(Failure) -> ImportRequest {
    var request = ImportRequest(path: path, type: type, time: .system)
    request.key = key
    request.isDryRun = dryRun
    if let encoding {
      guard let known = TextEncoding(named: encoding) else {
        throw .unknownEncoding(encoding, known: TextEncoding.allCases.map(\.rawValue))
      }
      request.encoding = known
    }
    if let separator { request.format = .csv(delimiter: try Self.delimiter(separator)) }
    for word in map {
      // A column may be called anything, so the last equals sign is the one that parts.
      guard let equals = word.lastIndex(of: "="), equals > word.startIndex else {
        throw .notAMapping(word)
      }
      request.map[String(word[..<equals])] = String(word[word.index(after: equals)...])
    }
    return request
  }

  private static func delimiter(_ text: String) throws(Failure) -> UInt8 {
    if ["tab", "\\t"].contains(text) { return 0x09 }
    // What stands in values, and ends rows, can't part them.
    guard let byte = text.first?.asciiValue, text.utf8.count == 1, byte != 0x22,
      byte == 0x09 || byte >= 0x20 && byte < 0x7F,
      !text.allSatisfy({ $0.isLetter || $0.isNumber })
    else { throw .usage(Words.system.importing.unknownSeparator(text)) }
    return byte
  }

  private func finish(_ report: ImportReport, model: Model, _ output: Output) throws {
    for row in report.refused { Program.complain(row.sentence) }
    if report.refusedCount > report.refused.count {
      Program.complain(
        Words.system.importing.moreRefused(report.refusedCount - report.refused.count))
    }
    guard format.json else {
      try output.line(
        Words.system.importing.outcome(
          added: report.added, updated: report.updated, unchanged: report.unchanged,
          refused: report.refusedCount))
      return try output.line(Self.reading(of: report))
    }
    try output.line(json(report, type: model.type(report.type)?.name ?? report.type.name))
  }

  /// - Parameter report: Nothing where the file could not be read as a table.
  private func json(_ report: ImportReport?, type: String) -> JSON {
    let refused = (report?.refused ?? []).map { row -> JSON in
      var members = [JSON.Member("line", .count(row.line))]
      if let element = row.element { members.append(JSON.Member("element", .count(element))) }
      return .object(members + [JSON.Member("reason", .string(row.reason.words))])
    }
    return [
      "transaction": report?.transaction.map(JSON.integer) ?? .null,
      "type": .string(type),
      "added": .count(report?.added ?? 0),
      "updated": .count(report?.updated ?? 0),
      "unchanged": .count(report?.unchanged ?? 0),
      "refused": .array(refused),
      "refusedCount": .count(report?.refusedCount ?? 0),
      "dryRun": .boolean(dryRun),
      "encoding": .string(orNull: report?.encoding.rawValue),
      "format": .string(orNull: report?.format.name),
      "separator": .string(orNull: report?.format.separator),
    ]
  }

  /// What the file was taken for, and how to name something else.
  private static func reading(of report: ImportReport) -> String {
    let words = Words.system
    return words.readAs(report.encoding, report.format)
      + words.importing.readOtherwise(canSeparate: report.format.separator != nil)
  }
}

extension TableFormat {
  fileprivate var name: String {
    switch self {
    case .csv: "csv"
    case .json: "json"
    case .ndjson: "ndjson"
    }
  }

  fileprivate var separator: String? {
    guard case .csv(let delimiter) = self else { return nil }
    return String(Character(Unicode.Scalar(delimiter)))
  }
}
