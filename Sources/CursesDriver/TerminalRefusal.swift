// Why a terminal can't be used, as data. The sentences are made in Wording.

/// Why there can be no interface here.
package enum TerminalRefusal: Error, Equatable, Sendable {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// TERM is not set.
  case noName
  /// No terminfo entry has that name.
  case unknown(String)
  /// The terminal can't place its cursor (`dumb`).
  case tooSimple(String)
  /// The system has no descriptor left.
  case noDescriptor
}
