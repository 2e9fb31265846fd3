import Sync
import Testing

struct SyncSummaryTests {
  /// The five states of CloudKitSyncMonitor's phases, three of network and account: 1,125 rows.
  static let rows: [SummaryFacts] = {
    var rows: [SummaryFacts] = []
    for network in Knowledge.allCases {
      for account in Knowledge.allCases {
        for setup in PhaseState.allCases {
          for importing in PhaseState.allCases {
            for exporting in PhaseState.allCases {
              rows.append(
                SummaryFacts(
                  network: network, account: account, setup: setup, importing: importing,
                  exporting: exporting))
            }
          }
        }
      }
    }
    return rows
  }()

  /// Each row with the dimensions that the older monitor lacks.
  static func variants(of facts: SummaryFacts) -> [SummaryFacts] {
    var all: [SummaryFacts] = []
    for isPending in [false, true] {
      for isPaused in [false, true] {
        for isStalled in [false, true] {
          for isCaughtUp in [true, false] {
            var variant = facts
            variant.isPending = isPending
            variant.isPaused = isPaused
            variant.isStalled = isStalled
            variant.isCaughtUp = isCaughtUp
            all.append(variant)
          }
        }
      }
    }
    return all
  }

  @Test func `all 18,000 combinations are as recorded`() throws {
    var lines = [
      "# network account setup import export: the summary, and its glyphs for the 16 combinations of",
      "# pending, paused, stalled, not caught up (the last changes fastest); * differs from the older",
    ]
    for facts in Self.rows {
      let summary = SyncSummary(facts)
      let glyphs = Self.variants(of: facts).map { SyncSummary($0).glyph }.joined()
      let differs = OlderMonitor.summary(facts) != summary.rawValue
      lines.append(
        "\(facts.network) \(facts.account) \(facts.setup) \(facts.importing) \(facts.exporting): "
          + "\(summary) \(glyphs)\(differs ? " *" : "")")
    }
    #expect(Self.rows.count == 1_125)
    try Golden.expect(lines.joined(separator: "\n") + "\n", in: "Golden/summary.txt")
  }

  @Test func `the port of the older rules gives the counts that were published`() {
    var counts: [String: Int] = [:]
    for facts in Self.rows { counts[OlderMonitor.summary(facts), default: 0] += 1 }
    #expect(
      counts == [
        "noNetwork": 375, "accountNotAvailable": 250, "inProgress": 195, "unknown": 161,
        "error": 122, "succeeded": 14, "notStarted": 4, "notSyncing": 4,
      ])
  }

  @Test func `each difference from the older monitor falls under a listed rule`() {
    for facts in Self.rows {
      let old = OlderMonitor.summary(facts)
      let new = SyncSummary(facts)
      guard old != new.rawValue else { continue }
      let phases = [facts.setup, facts.importing, facts.exporting]
      let hasFailure = phases.contains { $0 == .failed || $0 == .failedUnexplained }
      let isExplained =
        (hasFailure && new == .error)
        || (old == "succeeded" && facts.setup != .succeeded)
        || (old == "unknown" && new == .succeeded && facts.exporting == .notStarted)
        || (old == "notSyncing" && new == .inProgress)
      #expect(isExplained, "\(facts): \(old) became \(new)")
    }
    #expect(SyncSummary.differences.count == 7)
  }

  @Test func `it never says synced while anything waits, failed, is paused or unread`() {
    for facts in Self.rows.flatMap(Self.variants) where SyncSummary(facts) == .succeeded {
      #expect(!facts.isPending && !facts.isPaused && !facts.isStalled && facts.isCaughtUp)
      let phases = [facts.setup, facts.importing, facts.exporting]
      #expect(!phases.contains { $0 == .failed || $0 == .failedUnexplained || $0 == .inProgress })
    }
  }

  @Test func `every state has a glyph of its own`() {
    #expect(Set(SyncSummary.allCases.map(\.glyph)).count == SyncSummary.allCases.count)
  }
}

/// The rules of CloudKitSyncMonitor 3, ported to compare with.
enum OlderMonitor {
  static func summary(_ facts: SummaryFacts) -> String {
    let phases = [facts.setup, facts.importing, facts.exporting]
    let hasError = facts.network == .available && phases.contains(.failed)
    let shouldSync =
      facts.account == .available && facts.network == .available && !hasError
      && facts.setup == .succeeded
    if facts.network == .unavailable { return "noNetwork" }
    if facts.account == .unavailable { return "accountNotAvailable" }
    if hasError { return "error" }
    if shouldSync, facts.importing == .notStarted { return "notSyncing" }
    if phases.allSatisfy({ $0 == .notStarted }) { return "notStarted" }
    if phases.contains(.inProgress) { return "inProgress" }
    if facts.importing == .succeeded, facts.exporting == .succeeded { return "succeeded" }
    return "unknown"
  }
}
