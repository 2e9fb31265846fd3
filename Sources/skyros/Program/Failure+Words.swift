// Every failure with its sentence, of which Wording has the words, and the exit status that scripts rely
// on. ProgramTests holds the sentences word by word.

internal import Records
internal import Screens
internal import Wording

/// An error with a sentence for people and a status for scripts.
protocol FailureWords: Error {
  var sentence: String { get }
  var exitStatus: ExitStatus { get }
}

extension Failure: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .unknownSubcommand, .usage, .unknownType, .unknownField, .unknownTemplate, .unknownView,
      .unknownEncoding, .notAMapping,
      .notAnAssignment, .badValue, .badJSON, .notAnObject, .badFilter, .badModel,
      .noReferenceTitled, .severalTitled, .needsTerminal:
      .usage
    case .unknownRecord, .unknownConflict, .unknownTransaction: .unknown
    case .inTrash, .conflict, .gone: .conflict
    case .notInTrash, .noAttachment, .file, .notText, .outputFailed, .readerGone, .interrupted,
      .editorFailed, .unchangedModel, .unexpected:
      .failed
    }
  }

  var sentence: String {
    let words = Words.system
    switch self {
    case .usage(let sentence): return sentence
    case .badValue(let field, let text, let mistake):
      return words.expected.doesNotFit(text, field: field, because: words.clause(for: mistake))
    case .badJSON(let mistake):
      return words.jsonMistake.mistake(
        line: mistake.line, column: mistake.column, words.clause(for: mistake.kind))
    case .notAnObject: return words.jsonMistake.notAnObject
    case .badFilter(let filter, let mistake):
      return words.filterMistake.mistake(
        in: filter, at: mistake.characters.lowerBound + 1, words.clause(for: mistake.kind))
    case .badModel(let path, let mistakes):
      return words.modelMistake.unusable(file: path, mistakes.map(\.words))
    case .unknownEncoding(let name, let known):
      return words.importing.unknownEncoding(name, known: known)
    case .notAMapping(let word): return words.importing.notAMapping(word)
    default: return sentence(words.failure)
    }
  }

  private func sentence(_ words: Wording.FailureWords) -> String {
    switch self {
    case .unknownSubcommand(let word): words.unknownSubcommand(word)
    case .unknownType(let name, let known): words.unknownType(name, known: known)
    case .unknownField(let name, let type, let known):
      words.unknownField(name, type: type, known: known)
    case .unknownTemplate(let name, let known): words.unknownTemplate(name, known: known)
    case .unknownView(let name, let type, let known):
      words.unknownView(name, type: type, known: known)
    case .notAnAssignment(let word): words.notAnAssignment(word)
    case .noReferenceTitled(let title, let type): words.noReferenceTitled(title, type: type)
    case .severalTitled(let title, let type): words.severalTitled(title, type: type)
    case .unknownRecord(let id, let type): words.unknownRecord(id, type: type)
    case .unknownConflict(let id): words.unknownConflict(id)
    case .unknownTransaction(let number): words.unknownTransaction(number)
    case .inTrash(let id, let type): words.inTrash(id.description, type: type)
    case .notInTrash(let id, let type): words.notInTrash(id.description, type: type)
    case .noAttachment(let field, let id): words.noAttachment(field, of: id)
    case .conflict(let fields): words.conflict(fields: fields)
    case .gone(let id, let type): words.gone(id.description, type: type)
    case .file(let path, let code): words.file(path, reason: Self.reason(code))
    case .notText(let path): words.notText(path)
    case .outputFailed(let code): words.outputFailed(reason: Self.reason(code))
    case .readerGone: words.readerGone
    case .interrupted: words.interrupted
    case .needsTerminal: words.needsTerminal
    case .editorFailed(let editor): words.editorFailed(editor)
    case .unchangedModel: words.unchangedModel
    case .unexpected(let text): words.unexpected(text)
    case .usage, .badValue, .badJSON, .notAnObject, .badFilter, .badModel, .unknownEncoding,
      .notAMapping:
      preconditionFailure("these are told in other groups of words")
    }
  }

  private static func reason(_ code: Int32) -> String { Words.system.systemWords(code) }
}
