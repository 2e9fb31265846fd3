// Why a terminal can't be used, as a sentence.

internal import CursesDriver
internal import Wording

extension TerminalRefusal: FailureWords {
  var exitStatus: ExitStatus { .usage }

  var sentence: String {
    let words = Words.system.failure
    return switch self {
    case .notATerminal: words.needsTerminal
    case .noName: words.noTerminalName
    case .unknown(let name): words.unknownTerminal(name)
    case .tooSimple(let name): words.simpleTerminal(name)
    case .noDescriptor: words.noDescriptor
    }
  }
}
