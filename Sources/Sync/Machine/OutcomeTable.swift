// The table of outcomes: what every answer leads to, by the place where it was met. One switch a
// place, without a default, so that a new answer does not compile without a decision. The page in
// Sync.docc is generated from it by a test.

internal import CloudKitWire

/// Where an answer was met.
package enum Place: String, Sendable, Hashable, CaseIterable {
  /// A call of setup, as a whole.
  case setup
  /// A page of the change feed, as a whole.
  case importing
  /// A batch, as a whole.
  case exporting
  /// One record of a batch.
  case record
  /// A file, sent or fetched, or a call about some.
  case file
}

/// What an answer leads to.
package enum Outcome: Sendable, Hashable {
  case proceed
  /// Try the same again later: after the service's own delay, or a growing one with jitter.
  case retry
  /// Halve the batch and send again; a batch of one parks its record.
  case shrink
  /// Fetch the service's copy, join, send again.
  case join
  /// Send again as a new record: the service holds none.
  case create
  /// Send again with the rest of its batch.
  case resend
  /// Set the record aside with this reason; the others go on.
  case park
  /// Nothing more can be done without a person; pending edits stay pending.
  case stop
  /// Read the zone anew and compare.
  case compare
  /// The zone is not there: make it, or ask if records of it were seen before.
  case makeZone

  package var word: String { "\(self)" }
}

/// The declared outcome of every answer.
package enum OutcomeTable {
  package static func outcome(of answer: AnswerClass, at place: Place) -> Outcome {
    switch place {
    case .setup: setup(answer)
    case .importing: importing(answer)
    case .exporting: exporting(answer)
    case .record: record(answer)
    case .file: file(answer)
    }
  }

  private static func setup(_ answer: AnswerClass) -> Outcome {
    switch answer {
    case .success: .proceed
    case .code(.zoneNotFound), .code(.notFound): .makeZone
    case .code(let code): common(code)
    case .tokenRefused: .compare
    case .foreignPage, .garbled, .missing, .serverTrouble, .tooLong: .retry
    case .unexpectedStatus, .clockSkew, .storeFailed, .otherAccount, .accountRemoved, .zoneGone,
      .planToConfirm:
      .stop
    case .transport(let failure): transport(failure)
    }
  }

  private static func importing(_ answer: AnswerClass) -> Outcome {
    switch answer {
    case .success: .proceed
    case .code(.zoneNotFound): .makeZone
    // A refusal that the protocol can't word otherwise (reference 8): the token is of no use.
    case .code(.badRequest): .compare
    case .code(let code): common(code)
    case .tokenRefused: .compare
    case .transport(.oversized), .tooLong: .shrink
    case .foreignPage, .garbled, .missing, .serverTrouble: .retry
    case .unexpectedStatus, .clockSkew, .storeFailed, .otherAccount, .accountRemoved, .zoneGone,
      .planToConfirm:
      .stop
    case .transport(let failure): transport(failure)
    }
  }

  private static func exporting(_ answer: AnswerClass) -> Outcome {
    switch answer {
    case .success: .proceed
    case .code(.zoneNotFound): .makeZone
    // A batch is refused as a whole where one record of it is at fault: find it by halves.
    case .code(.badRequest), .code(.atomicError), .code(.quotaExceeded), .code(.uniqueFieldError),
      .code(.validatingReferenceError), .code(.conflict), .code(.exists), .code(.notFound):
      .shrink
    case .code(let code): common(code)
    case .tokenRefused: .compare
    case .tooLong, .transport(.oversized): .shrink
    // A lost reply: everything in it stays pending, and is recognised if it had arrived.
    case .foreignPage, .garbled, .missing, .serverTrouble: .retry
    case .unexpectedStatus, .clockSkew, .storeFailed, .otherAccount, .accountRemoved, .zoneGone,
      .planToConfirm:
      .stop
    case .transport(let failure): transport(failure)
    }
  }

  private static func record(_ answer: AnswerClass) -> Outcome {
    switch answer {
    case .success: .proceed
    case .code(.conflict), .code(.exists): .join
    case .code(.notFound): .create
    case .code(.atomicError), .missing: .resend
    case .code(.throttled), .code(.tryAgainLater), .code(.internalError): .retry
    case .code(.zoneNotFound): .makeZone
    case .code(.badRequest), .code(.accessDenied), .code(.quotaExceeded), .code(.uniqueFieldError),
      .code(.validatingReferenceError):
      .park
    case .code(.authenticationFailed), .code(.authenticationRequired), .accountRemoved: .stop
    case .tokenRefused, .foreignPage, .garbled, .serverTrouble, .unexpectedStatus, .tooLong,
      .clockSkew, .transport, .storeFailed, .otherAccount, .zoneGone, .planToConfirm:
      .retry
    }
  }

  private static func file(_ answer: AnswerClass) -> Outcome {
    switch answer {
    case .success: .proceed
    case .code(.badRequest), .code(.quotaExceeded), .code(.notFound), .tooLong,
      .transport(.oversized):
      .park
    // An address that ran out: the next attempt gets a new one.
    case .code(.accessDenied), .code(.authenticationFailed): .retry
    case .code(let code): common(code)
    case .tokenRefused, .foreignPage, .garbled, .missing, .serverTrouble, .unexpectedStatus: .retry
    case .clockSkew, .storeFailed, .otherAccount, .accountRemoved, .zoneGone, .planToConfirm: .stop
    case .transport(let failure): transport(failure)
    }
  }

  /// What a code means wherever it is met.
  private static func common(_ code: ServerErrorCode) -> Outcome {
    switch code {
    case .throttled, .tryAgainLater, .internalError, .atomicError, .conflict, .exists: .retry
    case .accessDenied, .authenticationFailed, .authenticationRequired, .badRequest, .notFound,
      .quotaExceeded, .uniqueFieldError, .validatingReferenceError:
      .stop
    case .zoneNotFound: .makeZone
    }
  }

  private static func transport(_ failure: TransportFailure) -> Outcome {
    switch failure {
    case .nameNotFound, .unreachable, .timedOut, .interrupted, .oversized, .cancelled: .retry
    case .untrusted: .stop
    }
  }

  /// All rows, as the documentation has them.
  package static var markdown: String {
    var lines = [
      "| Answer | in setup | to a page | to a batch | to one record | to a file |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    for answer in AnswerClass.all {
      let cells = Place.allCases.map { outcome(of: answer, at: $0).word }
      lines.append("| \(answer.word) | \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
