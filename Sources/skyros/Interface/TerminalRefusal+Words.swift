// Why a terminal can't be used, as a sentence.

internal import CursesDriver

extension TerminalRefusal: FailureWords {
  var exitStatus: ExitStatus { .usage }

  var sentence: String {
    switch self {
    case .notATerminal: Failure.needsTerminal.sentence
    case .noName: "TERM is not set: set it to what your terminal is, like xterm-256color."
    case .unknown(let name):
      "The terminal '\(name)' is not known here: set TERM to one that is, like xterm-256color."
    case .tooSimple(let name):
      "The terminal '\(name)' can't place its cursor. For scripts there are subcommands: "
        + "skyros --help"
    case .noDescriptor:
      "The system has no file descriptor left: close other programs and try again."
    }
  }
}
