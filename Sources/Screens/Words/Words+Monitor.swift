// Sentences of the sync monitor, of setting sync up, and of why a record is not synced.

internal import RecordStore
internal import Records
internal import Sync
internal import ViewModels
internal import Wording

extension Words {
  // MARK: The monitor

  var syncTitle: String { self("Sync", "同期") }
  func role(_ role: SyncRole) -> String {
    switch role {
    case .off: self("Sync is not set up", "同期は未設定")
    case .syncing: self("This skyros syncs", "この skyros が同期しています")
    case .elsewhere: self("Another skyros syncs", "別の skyros が同期しています")
    case .unavailable: self("Nobody syncs: see below", "誰も同期していません")
    }
  }
  func health(_ health: SyncHealth) -> String {
    switch health {
    case .ok: self("well", "良好")
    case .degraded: self("degraded", "一部に支障")
    case .broken: self("needs you", "対処が必要")
    }
  }
  var phase: String { self("Phase", "段階") }
  var trigger: String { self("Cause", "きっかけ") }
  var took: String { self("Took", "時間") }
  var state: String { self("State", "状態") }
  var why: String { self("Why", "理由") }
  var moved: String { self("Moved", "内容") }
  var volume: String { self("Volume", "量") }
  var rate: String { self("rate", "速度") }
  var service: String { self("service", "相手") }
  var zone: String { self("zone", "ゾーン") }
  var noRate: String { self("nothing moved yet", "まだ動きがありません") }
  func perSecond(_ number: String) -> String { self("\(number)/s", "\(number) 件/秒") }
  func most(_ number: String) -> String { self("at most \(number)/s", "最大 \(number) 件/秒") }
  var neverRan: String { self("never ran", "未実行") }
  func attempts(_ number: Int) -> String { self("\(number) times", "\(number) 回") }
  var nothingNew: String { self("nothing new", "変化なし") }
  var runningNow: String { self("running…", "実行中…") }
  var takenIn: String { self("taken in", "取込") }
  var mergedCount: String { self("merged", "統合") }
  var conflictingCount: String { self("conflicting", "競合") }
  var knownCount: String { self("known", "既知") }
  var sentCount: String { self("sent", "送信") }
  var unansweredCount: String { self("unanswered", "未応答") }
  var setAside: String { self("set aside", "保留") }
  var heldBack: String { self("held back", "保管") }
  var inConflict: String { self("in conflict", "競合中") }
  var filesToCome: String { self("files to come", "件のファイルが未着") }
  var filesMissing: String { self("files missing", "件のファイルが入手不可") }
  var modelToSend: String { self("model change to send", "件のモデル変更が送信待ち") }
  var toSend: String { self("to send", "件が送信待ち") }
  var queued: String { self("queued", "順番待ち") }
  var inFlight: String { self("in flight", "送信中") }
  var queuedExplained: String { self("the next export takes it along", "次の送信で送られます") }
  var inFlightExplained: String { self("the export that runs sends it", "今の送信に含まれます") }
  var conflictingExplained: String {
    self("writers disagree: Enter settles", "意見が分かれています。Enter で解決")
  }
  var heldExplained: String {
    self(
      "It came from the service and is kept as it is until this library can take it in.",
      "サービスから届き、取り込めるまでそのまま保管されます。")
  }
  var noEvents: String { self("Sync has done nothing yet.", "まだ記録がありません。") }
  var nothingWaits: String { self("Nothing waits: both sides agree.", "待っているものはありません。") }
  var nothingSetAside: String { self("Nothing was set aside.", "保留はありません。") }
  var logTab: String { self("Log", "記録") }
  var waitingTab: String { self("Waiting", "待ち") }
  func filtered(_ filter: EventFilter) -> String {
    let phase = filter.phase.map { SyncWords.phase($0.rawValue, in: self) }
    let failed = filter.onlyFailed ? self("only failed", "失敗のみ") : nil
    return [phase, failed].compactMap { $0 }.joined(separator: ", ")
  }
  func failedAt(_ phase: String, _ time: String) -> String {
    self("\(phase) failed, \(time):", "\(phase)に失敗 \(time):")
  }
  func press(_ remedy: SyncRemedy) -> String {
    switch remedy {
    case .syncNow: self("It goes on by itself; s tries now.", "自動で再試行します。s で今すぐ試します。")
    case .retry: self("Press t to try again.", "t で送り直します。")
    case .resume: self("Press p to go on.", "p で再開します。")
    case .signIn: self("Press o to sign in.", "o でサインインします。")
    case .setUp: self("Press o to check the service.", "o で設定を確かめます。")
    case .settle: self("Press c to settle.", "c で解決します。")
    case .decide: self("Press d to read the plan and decide.", "d で計画を読んで決めます。")
    }
  }
  func enterHelps(_ remedy: SyncRemedy) -> String {
    self("Enter: \(button(for: remedy))", "Enter: \(button(for: remedy))")
  }

  // MARK: An event

  func eventTitle(_ number: Int64) -> String { self("Event \(number)", "記録 \(number)") }
  var affected: String { self("Records set aside", "保留されたレコード") }
  var rawReason: String { self("Raw reason", "生の理由") }
  var noRawReason: String { self("(none was given)", "（なし）") }
  var nothingToRemedy: String { self("Nothing failed here.", "失敗はありません。") }
  var exportLog: String { self("Export the log", "記録を保存") }
  var exportLogExplained: String {
    self(
      "Into a new text file: times, counts and reasons, nothing of any record.",
      "新しい文字ファイルに。時刻・数・理由だけで、レコードの内容は含みません。")
  }

  // MARK: Setting up

  var setUpExplained: String {
    self(
      "This library is on this machine only. Press o to sync it: with a file that other "
        + "machines can reach, or with a skyros-server.",
      "このライブラリはこの端末だけにあります。o で同期を設定します。共有ファイルか skyros-server を使えます。")
  }
  var setUpTitle: String { self("Set up sync", "同期の設定") }
  var setUpFormExplained: String {
    self(
      "file:PATH is a service on this machine or a shared folder; the file is made when it is "
        + "missing. http(s)://… is a skyros-server: you sign in on its page the first time, or "
        + "give a token file.",
      "file:パス はこの端末か共有フォルダーのサービスで、なければ作られます。http(s)://… は skyros-server で、最初はそのページでサインインするか、トークンのファイルを指定します。"
    )
  }
  var serviceAddress: String { self("Service", "サービス") }
  var container: String { self("Container", "コンテナ") }
  var tokenFile: String { self("Token file", "トークン") }
  var tokenFileHint: String { self("path; Tab completes", "パス。Tab で補完") }
  var tokenFileNote: String {
    self(
      "Empty: the sign-in that is known, or one in a browser.",
      "空なら保存済みのサインインか、ブラウザーでのサインインを使います。")
  }
  var connecting: String { self("Asking the service…", "サービスに問い合わせ中…") }
  var mustNotBeEmpty: String { self("Must not be empty.", "空にできません。") }
  var noServicesHere: String { self("Sync can't be set up here.", "ここでは設定できません。") }
  var turnOff: String { self("Turn off", "切る") }
  var turnOffQuestion: String { self("Turn sync off?", "同期を切りますか？") }
  func turnOffExplained(_ unsent: Int) -> String {
    let stays = self(
      "The records stay, here and on the service.", "レコードはここにもサービスにも残ります。")
    guard unsent > 0 else { return stays }
    let waits = self(
      "\(records(unsent)) were not sent yet; they stay in this library.",
      "\(unsent) 件は未送信で、このライブラリに残ります。")
    return stays + " " + waits
  }

  // MARK: Why is it not synced?

  var whyTitle: String { self("Why is this record not synced?", "同期の状態") }
  var closeButton: String { self("Close", "閉じる") }
  func sentence(for reason: RecordSyncReason, _ values: ValueWords) -> String {
    switch reason {
    case .notSetUp:
      self(
        "Sync is not set up: the record is in this library only.",
        "同期は未設定です。このライブラリにだけあります。")
    case .parked(let cause, let detail):
      refused(cause, detail)
    case .paused:
      self("It waits: sync is paused.", "待っています。同期は一時停止中です。")
    case .failed(let phase, let cause, let detail):
      waitsFor(phase, cause, detail)
    case .inFlight: self("It is being sent now.", "送信中です。")
    case .queued:
      self("It waits for its turn: the next export takes it along.", "順番待ちです。次の送信で送られます。")
    case .conflicting:
      self(
        "It is synced, and writers disagree about it: a choice settles it everywhere.",
        "同期済みですが、書き手の意見が分かれています。選べばどこでも解決します。")
    case .gone: self("The record is purged, here and on the service.", "完全に削除されています。")
    case .synced(let imported, let exported):
      self("It is synced: the service has it as it is here.", "同期済みです。サービスと同じです。")
        + lastTimes(imported, exported, values)
    }
  }

  private func refused(_ cause: String, _ detail: String?) -> String {
    let said = SyncWords.cause(cause, in: self)
    let raw = detail.map { "(\(shortened($0)))" }
    let words = self(
      "The service did not take it, and it was set aside:", "サービスに拒まれ、保留されています:")
    return [words, said.sentence, said.remedy, raw].compactMap { $0 }.joined(separator: " ")
  }

  private func waitsFor(_ phase: SyncPhase, _ cause: String, _ detail: String?) -> String {
    let said = SyncWords.cause(cause, in: self)
    let name = SyncWords.phase(phase.rawValue, in: self)
    let words = self("It waits, since \(name) failed:", "\(name)に失敗したため待っています:")
    return [words, said.sentence, said.remedy].compactMap { $0 }.joined(separator: " ")
  }

  private func lastTimes(_ imported: Int64?, _ exported: Int64?, _ values: ValueWords) -> String {
    let times = [(self("import", "受信"), imported), (self("export", "送信"), exported)]
      .compactMap { name, at in
        at.map { "\(name) \(values.time(Timestamp(milliseconds: $0)))" }
      }
    return times.isEmpty
      ? "" : self(" Last ", " 最後の") + times.joined(separator: ", ") + self(".", "。")
  }

  func button(for remedy: SyncRemedy) -> String {
    switch remedy {
    case .syncNow: self("Sync now", "今すぐ同期")
    case .retry: self("Retry", "再試行")
    case .resume: self("Resume", "再開")
    case .signIn: self("Sign in", "サインイン")
    case .setUp: self("Set up", "設定")
    case .settle: self("Settle", "解決")
    case .decide: self("Decide", "決める")
    }
  }
  func key(for remedy: SyncRemedy) -> Character {
    switch remedy {
    case .syncNow: "s"
    case .retry: "t"
    case .resume: "p"
    case .signIn, .setUp: "o"
    case .settle: "e"
    case .decide: "d"
    }
  }
}
