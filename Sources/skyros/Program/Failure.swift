// What a command can fail of, besides what the store throws: data only. The sentence and the exit
// status of each are in Failure+Words.swift.

internal import ModelFile
internal import Records

/// Why a command did not do what it was asked.
enum Failure: Error, Hashable {
  case unknownSubcommand(String)
  /// Words that the parser takes and the command can't.
  case usage(String)
  case unknownType(String, known: [String])
  case unknownField(String, type: String, known: [String])
  case unknownTemplate(String, known: [String])
  case unknownView(String, type: String, known: [String])
  case notAnAssignment(String)
  case badValue(field: String, text: String, mistake: ValueMistake)
  case badJSON(JSONMistake)
  /// JSON, but no object of fields.
  case notAnObject
  /// The field has no file, or is none that could have one.
  case noAttachment(field: String, id: String)
  case badFilter(String, mistake: FilterMistake)
  case badModel(path: String, mistakes: [ModelMistake])
  case noReferenceTitled(String, type: String)
  case severalTitled(String, type: String)
  case unknownRecord(String, type: String)
  case unknownConflict(String)
  case unknownTransaction(String)
  case inTrash(RecordID, type: String)
  case notInTrash(RecordID, type: String)
  case conflict(fields: [String])
  case gone(RecordID, type: String)
  /// A file of the person's: what was tried, and `errno`.
  case file(path: String, code: Int32)
  case notText(path: String)
  case outputFailed(code: Int32)
  /// Whoever read standard output went away.
  case readerGone
  case interrupted
  case needsTerminal
  case unknownEncoding(String, known: [String])
  case notAMapping(String)
  case editorFailed(String)
  case unchangedModel
  /// An error that nobody foresaw, in its own words.
  case unexpected(String)
}

extension Error {
  var isReaderGone: Bool { (self as? Failure) == .readerGone }
}
