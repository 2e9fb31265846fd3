// Every failure as one sentence that says what to do, and the exit status that scripts rely on. The
// one place for both; ProgramTests holds the sentences word by word.

internal import Glibc
internal import Records
internal import RecordStore

/// An error with a sentence for people and a status for scripts.
protocol FailureWords: Error {
  var sentence: String { get }
  var exitStatus: ExitStatus { get }
}

extension Failure: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .unknownSubcommand, .usage, .unknownType, .unknownField, .unknownTemplate,
      .unknownEncoding, .notAMapping,
      .notAnAssignment, .badValue, .badJSON, .notAnObject, .zeroCharacter, .badFilter, .badModel,
      .noReferenceTitled, .severalTitled, .needsTerminal:
      .usage
    case .unknownRecord, .unknownConflict, .unknownTransaction: .unknown
    case .inTrash, .conflict, .gone: .conflict
    case .notInTrash, .file, .notText, .outputFailed, .readerGone, .interrupted,
      .editorFailed, .unchangedModel, .unexpected:
      .failed
    }
  }

  var sentence: String {
    switch self {
    case .unknownSubcommand(let word):
      "There is no subcommand '\(word)'. See: skyros --help"
    case .usage(let sentence): sentence
    case .unknownType(let name, let known):
      "There is no type '\(name)' in this library. "
        + (known.isEmpty
          ? "It has no types yet: import a file, or edit the model."
          : "Its types: \(list(known)).")
    case .unknownField(let name, let type, let known):
      "\(type) has no field '\(name)'. Its fields: \(list(known))."
    case .unknownTemplate(let name, let known):
      "There is no template '\(name)'. The templates: \(list(known))."
    case .notAnAssignment(let word):
      "'\(word)' is not of the form field=value."
    case .badValue(let field, let text, let mistake):
      "'\(shortened(text))' does not fit '\(field)': \(mistake.words)."
    case .badJSON(let mistake):
      "The JSON can't be read at line \(mistake.line), column \(mistake.column): "
        + "\(mistake.kind.words)."
    case .zeroCharacter(let field):
      "'\(field)' holds the character U+0000, which a library can't keep: nothing was written."
    case .notAnObject: "The JSON must be an object of fields, like {\"name\": \"Porto\"}."
    case .badFilter(let filter, let mistake):
      "The filter '\(shortened(filter))' has a mistake at character "
        + "\(mistake.characters.lowerBound + 1): \(mistake.kind.words)."
    case .badModel(let path, let mistakes):
      "The model in '\(path)' can't be used: "
        + mistakes.map(\.words).joined(separator: "; ") + "."
    case .noReferenceTitled(let title, let type):
      "No \(type) is called '\(shortened(title))'."
    case .severalTitled(let title, let type):
      "Several \(type) records are called '\(shortened(title))': give the id of one."
    case .unknownRecord(let id, let type): "There is no \(type) with the id '\(shortened(id))'."
    case .unknownConflict(let id): "There is no conflict with the id '\(shortened(id))'."
    case .unknownTransaction(let number): "There is no transaction \(number)."
    case .inTrash(let id, let type):
      "\(type) \(id) is in the trash: restore it first (skyros restore \(type) \(id))."
    case .notInTrash(let id, let type):
      "\(type) \(id) is not in the trash: delete it first (skyros delete \(type) \(id))."
    case .conflict(let fields):
      "Somebody changed \(list(fields)) meanwhile: nothing was written. Look, and set it again."
    case .gone(let id, let type):
      "\(type) \(id) was deleted meanwhile: nothing was written."
    case .file(let path, let code): "'\(path)': \(words(of: code))."
    case .notText(let path): "'\(path)' is not text in UTF-8."
    case .outputFailed(let code): "Standard output can't be written: \(words(of: code))."
    case .readerGone: "Whoever read standard output went away."
    case .interrupted: "Stopped: nothing was written."
    case .needsTerminal:
      "The interface needs a terminal. For scripts there are subcommands: skyros --help"
    case .unknownEncoding(let name, let known):
      "There is no encoding '\(name)'. The encodings: \(list(known))."
    case .notAMapping(let word): "'\(word)' is not of the form column=field."
    case .editorFailed(let editor): "The editor '\(editor)' failed: nothing was changed."
    case .unchangedModel: "The model was not edited: nothing was changed."
    case .unexpected(let words): "Something unexpected happened: \(words)"
    }
  }
}

/// `a, b and c`.
func list(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}

/// A value in a sentence: long ones are cut, so that the sentence stays one.
func shortened(_ text: String) -> String {
  text.count > 60 ? text.prefix(59) + "…" : text
}

/// What the operating system says of an error number.
func words(of code: Int32) -> String { String(cString: strerror(code)) }
