// Sentences of sync: the status line, the monitor, setting it up, and why a record is not synced. What
// the service's answers mean is in Wording (SyncWords).

internal import RecordStore
internal import Records
internal import Sync
internal import TerminalKit
internal import ViewModels
internal import Wording

extension Words {
  // MARK: The status line

  var notSyncing: String { self("not syncing", "同期なし") }
  func age(_ minutes: Int) -> String {
    switch minutes {
    case ..<60: self("\(minutes) min ago", "\(minutes) 分前")
    case ..<1_440: self("\(minutes / 60) h ago", "\(minutes / 60) 時間前")
    default: self("\(minutes / 1_440) d ago", "\(minutes / 1_440) 日前")
    }
  }
  var syncNotSetUp: String {
    self("Sync is not set up: S, then o.", "同期は未設定です。S、次に o で設定します。")
  }
  var syncPaused: String {
    self("Sync is paused: S, then p lets it go on.", "同期は一時停止中です。S、次に p で再開します。")
  }
  /// How fresh the library is.
  ///
  /// - Parameter isInStep: Whether both sides are known to agree now.
  func freshness(_ minutes: Int?, isInStep: Bool) -> String {
    if isInStep, minutes == nil { return self("in step with the service", "サービスと一致") }
    let when = minutes.map { age($0) } ?? self("a moment ago", "たった今")
    return self("last in step \(when)", "最後の一致は\(when)")
  }

  var demoWelcome: String {
    self(
      "A second device edits too. S: the sync, C: conflicts, q: leave.",
      "二台目の端末も編集します。S: 同期、C: 競合、q: 終了。")
  }

  // MARK: What came of asking

  func sentence(for notice: SyncNotice, in model: Model) -> (String, Stage.Tone) {
    switch notice {
    case .asked: (self("Sync was asked for.", "同期を頼みました。"), .plain)
    case .paused:
      (self("Sync is paused; edits wait.", "同期を一時停止しました。編集は待ちます。"), .warning)
    case .resumed: (self("Sync goes on.", "同期を再開しました。"), .success)
    case .retrying(let number):
      (self("\(records(number)) will be tried again.", "\(number) 件を送り直します。"), .success)
    case .setUp(let address, let pending):
      (
        self(
          "Syncs with \(address); \(records(pending)) to send.",
          "\(address) と同期します。\(pending) 件を送ります。"), .success
      )
    case .turnedOff(let unsent):
      (
        unsent == 0
          ? self("Sync is off; everything had been sent.", "同期を切りました。すべて送信済みです。")
          : self(
            "Sync is off; \(records(unsent)) were never sent and stay here.",
            "同期を切りました。\(unsent) 件は未送信のまま残ります。"), .warning
      )
    case .decided(let decision, let number): (decided(decision, number), .success)
    case .exported(let path, let number):
      (
        self(
          "\(count(number, "event", "events", "")) written to \(path).",
          "\(number) 件の記録を \(path) に書きました。"), .success
      )
    case .failed(let problem): (sentence(for: problem, in: model), .error)
    }
  }

  func sentence(for problem: SyncProblem, in model: Model) -> String {
    switch problem {
    case .cause(let word, let detail):
      [SyncWords.cause(word, in: self).sentence, detail.map { "(\($0))" }].compactMap { $0 }
        .joined(separator: " ")
    case .badAddress(let text):
      self(
        "'\(text)' is no address: file:PATH, http://… or https://…",
        "'\(text)' はアドレスではありません。file:PATH、http://…、https://…")
    case .needsTokens:
      self(
        "This service needs a token file: what skyros-server token add --json printed.",
        "トークンのファイルが必要です（skyros-server token add --json の出力）。")
    case .badTokens(let path):
      self(
        "'\(path)' holds no tokens: make it with skyros-server token add --json.",
        "'\(path)' にトークンがありません。skyros-server token add --json で作れます。")
    case .tokensNotKept(let path):
      self("The tokens can't be written to '\(path)'.", "トークンを '\(path)' に書けません。")
    case .serviceFile(let path, let reason):
      self("The service's file '\(path)' can't be used: \(reason)", "'\(path)' を使えません: \(reason)")
    case .busyElsewhere:
      self(
        "Another skyros syncs this library: close it, or do this there.",
        "別の skyros が同期しています。閉じるか、そちらで操作してください。")
    case .asks(let change): explained(change)
    case .failed(let failure): sentence(for: failure, in: model)
    }
  }
}
