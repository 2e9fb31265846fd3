// From the words of a command line to an exit status. The one place that ends the process, and the
// only one that speaks on standard error when a command fails.

internal import ArgumentParser
internal import Glibc
internal import Wording

/// The program around its commands.
enum Program {
  /// Runs the command that the words name, and ends the process with its status.
  static func run(_ words: [String]) async -> Never {
    // A reader that went away shows as a failed write (EPIPE), which Output knows how to end.
    signal(SIGPIPE, SIG_IGN)
    do {
      if let place = OpenCommand.usualStart(words) {
        try await OpenCommand.open(place)
        exit(ExitStatus.done.rawValue)
      }
      if let unknown = Skyros.unknownSubcommand(in: words) {
        throw Failure.unknownSubcommand(unknown)
      }
      var command = try Skyros.parseAsRoot(words)
      // The interface tells it by itself, where it can be read.
      if !(command is OpenCommand || command is DemoCommand) { tellMistakes() }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      exit(ExitStatus.done.rawValue)
    } catch {
      exit(end(with: error).rawValue)
    }
  }

  /// Settings that can't be understood are told in one line; the others hold, and the command runs.
  private static func tellMistakes() {
    let mistakes = InterfaceSettings.system.mistakes
    guard let first = mistakes.first else { return }
    let others = mistakes.count - 1
    let more = others > 0 ? " " + Words.system.settings.others(others) : ""
    complain(first.sentence(in: Words.system) + more)
  }

  /// Says what went wrong, and answers the status to leave with.
  private static func end(with error: any Error) -> ExitStatus {
    switch error {
    case Failure.readerGone:
      // `skyros list … | head`: what was asked for was delivered.
      return .done
    case let status as ExitStatus:
      // Said already.
      return status
    case let error as any FailureWords:
      complain(error.sentence)
      return error.exitStatus
    default:
      return end(parsing: error)
    }
  }

  /// Help and completions are data; all else that the parser throws is a mistake in the words.
  private static func end(parsing error: any Error) -> ExitStatus {
    switch Skyros.exitCode(for: error) {
    case .success:
      let output = Output()
      do {
        try output.line(Skyros.fullMessage(for: error))
        try output.flush()
      } catch {
        return error.isReaderGone ? .done : .failed
      }
      return .done
    case .validationFailure:
      complain(usageSentence(of: error))
      return .usage
    default:
      complain(Failure.unexpected("\(error)").sentence)
      return .failed
    }
  }

  /// The parser's sentence, and where to read on.
  private static func usageSentence(of error: any Error) -> String {
    let message = Skyros.message(for: error).split(separator: "\n").joined(separator: " ")
    let pointer =
      Skyros.fullMessage(for: error).split(separator: "\n").reversed()
      .compactMap { line in line.split(separator: "'").dropFirst().first }
      .first { $0.hasSuffix("--help") }
    let end = message.last.map { ".!?".contains($0) } ?? true ? "" : "."
    return message + end + " See: \(pointer ?? "skyros --help")"
  }

  /// One line on standard error, with nothing in it that a terminal would obey.
  static func complain(_ sentence: String) {
    let line = Array((VisibleText.shown(sentence) + "\n").utf8)
    var written = 0
    while written < line.count {
      let count = line[written...].withUnsafeBytes {
        write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      written += count
    }
  }
}

/// The statuses that scripts rely on (DESIGN.md 7).
///
/// Thrown by itself by a command that has said already what there was to say.
enum ExitStatus: Int32, Error {
  case done = 0
  case failed = 1
  /// Usage, bad filter, unknown type or field, bad value.
  case usage = 2
  /// Unknown id.
  case unknown = 3
  /// Conflict: nothing was written.
  case conflict = 4
  case syncFailed = 5
}
