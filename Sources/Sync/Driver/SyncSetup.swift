// Reaching a service for the first time: who it takes us for, and the zone. Used by setup, before
// anything is written into a library, and by every session after it.

package import CloudKitWire

package enum SyncSetup {
  /// What reaching a service found.
  package struct Finding: Sendable, Hashable {
    package var answer: Answer
    package var user: String?
    /// What the service does beyond the protocol; nothing where it did not say.
    package var extensions: ServiceExtensions?

    /// What the service takes in one request.
    package var operationsMax: Int { extensions?.operationsMax ?? WireLimits.operationsMax }
    package var recordsMax: Int { extensions?.recordsMax ?? WireLimits.resultsMax }

    package init(_ answer: Answer) { self.answer = answer }
  }

  /// Asks who we are and looks for the zone.
  ///
  /// - Parameters:
  ///   - user: Whom the service took us for before; somebody else stops it.
  ///   - hasZone: Whether the zone was there before: then it is not made again by itself.
  package static func reach(
    _ client: ServiceClient, user known: String? = nil, hasZone: Bool = false
  ) async -> Finding {
    let (caller, extensions) = await client.caller()
    func finding(_ answer: Answer) -> Finding {
      var finding = Finding(answer)
      finding.extensions = extensions
      return finding
    }
    guard case .message(let user, _) = caller else {
      if case .failure(let answer) = caller { return finding(answer) }
      return finding(Answer(.garbled))
    }
    if let known, known != user.userRecordName {
      return finding(Answer(.otherAccount, detail: user.userRecordName))
    }
    if case .failure(let answer) = await client.zone() {
      guard OutcomeTable.outcome(of: answer.kind, at: .setup) == .makeZone else {
        return finding(answer)
      }
      if hasZone { return finding(Answer(.zoneGone)) }
      if case .failure(let answer) = await client.makeZone() { return finding(answer) }
    }
    var done = finding(.success)
    done.user = user.userRecordName
    return done
  }
}
