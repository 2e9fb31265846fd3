// What sync's answers mean, for people: a sentence of what is wrong, and one of what to do. By the
// stable words of the event log, so that a status read from the file needs no more.

/// The sentences of one cause.
package struct SyncCauseWords: Sendable, Hashable {
  package let sentence: String
  /// What to do; nothing where waiting is enough.
  package let remedy: String?
}

package enum SyncWords {
  /// The words of a cause; a cause that only a newer Skyros knows is named as it is.
  package static func cause(_ word: String, in words: Words = Words()) -> SyncCauseWords {
    guard let cause = causes[word] else {
      return SyncCauseWords(
        sentence: words("Sync failed (\(word)).", "同期に失敗しました (\(word))。"),
        remedy: words("Try again: skyros sync now", "もう一度お試しください: skyros sync now"))
    }
    return SyncCauseWords(
      sentence: words(cause.sentence.0, cause.sentence.1),
      remedy: cause.remedy.map { words($0.0, $0.1) })
  }

  /// The summary as a word of its own, readable without colour.
  ///
  /// - Parameter summary: Its stable word.
  package static func summary(_ summary: String, in words: Words = Words()) -> String {
    switch summary {
    case "noNetwork": words("service not reachable", "サービスに届かない")
    case "accountNotAvailable": words("not signed in", "サインインなし")
    case "error": words("sync failed", "同期の失敗")
    case "paused": words("paused", "一時停止")
    case "stalled": words("stalled", "停滞")
    case "inProgress": words("syncing", "同期中")
    case "notSyncing": words("not syncing", "同期していない")
    case "notStarted": words("not synced yet", "未同期")
    case "pending": words("changes waiting", "送信待ち")
    case "succeeded": words("synced", "同期済み")
    default: words("unknown", "不明")
    }
  }

  package static func phase(_ phase: String, in words: Words = Words()) -> String {
    switch phase {
    case "setup": words("setup", "準備")
    case "import": words("import", "受信")
    case "export": words("export", "送信")
    default: phase
    }
  }

  package static func outcome(_ outcome: String, in words: Words = Words()) -> String {
    switch outcome {
    case "running": words("running", "実行中")
    case "succeeded": words("succeeded", "成功")
    case "failed": words("failed", "失敗")
    case "interrupted": words("interrupted", "中断")
    default: outcome
    }
  }

  /// Why the zone had to be compared with what is here.
  package static func comparison(_ reason: String, in words: Words = Words()) -> String {
    switch reason {
    case "deleted":
      words(
        "The service forgot deletions that are older than this library's last sync.",
        "最後の同期より前の削除を、サービスがもう覚えていません。")
    case "lost":
      words("The service was restored from an older backup.", "サービスが古いバックアップから復元されました。")
    case "recreated":
      words(
        "Somebody deleted the zone on the service, and made it anew.",
        "誰かがサービスのゾーンを削除し、作り直しました。")
    case "zoneGone":
      words("Somebody deleted the zone on the service.", "誰かがサービスのゾーンを削除しました。")
    default: words("The service can't say why.", "サービスは理由を答えられません。")
    }
  }

  package static func trigger(_ trigger: String, in words: Words = Words()) -> String {
    switch trigger {
    case "launch": words("at the start", "起動時")
    case "user": words("asked for", "手動")
    case "commit": words("a save here", "ここでの保存")
    case "push": words("a change there", "サービスの変化")
    case "retry": words("after a wait", "再試行")
    case "network": words("network back", "ネットワーク復帰")
    default: trigger
    }
  }

  /// One cause in both languages.
  private struct Cause: Sendable {
    let sentence: (String, String)
    let remedy: (String, String)?

    init(_ english: String, _ japanese: String, remedy: (String, String)? = nil) {
      sentence = (english, japanese)
      self.remedy = remedy
    }
  }

  /// The words that are known, for tests.
  package static var known: [String] { causes.keys.sorted() }

  private static let causes: [String: Cause] = [
    "ACCESS_DENIED": Cause(
      "The service does not let this account do that.",
      "このアカウントにはその操作が許されていません。",
      remedy: (
        "Ask who runs the service for access, or set up another account.",
        "サービスの管理者に許可を求めるか、別のアカウントを設定してください。"
      )),
    "attachmentTooLarge": Cause(
      "The attached file is larger than the service takes (50 MB).",
      "添付ファイルがサービスの受け取れる大きさ (50 MB) を超えています。",
      remedy: (
        "Attach a smaller file; until then the record stays on this machine.",
        "小さなファイルを添付してください。それまでレコードはこの機器に留まります。"
      )),
    "contentDamaged": Cause(
      "The attached file does not arrive as what it was.",
      "添付ファイルが元のとおりに届きません。",
      remedy: ("Try again: skyros sync now", "もう一度お試しください: skyros sync now")),
    "contentMissing": Cause(
      "The service does not have the file that the record speaks of.",
      "レコードが指すファイルがサービスにありません。",
      remedy: (
        "Sync the device where it was attached; then: skyros sync now",
        "添付した機器を同期し、それから: skyros sync now"
      )),
    "ATOMIC_ERROR": Cause(
      "The service refused a whole batch.",
      "サービスがまとまり全体を拒みました。"),
    "AUTHENTICATION_FAILED": Cause(
      "The service refused the sign-in.",
      "サービスがサインインを拒みました。",
      remedy: (
        "Sign in again: skyros sync setup URL --token-file FILE",
        "サインインし直してください: skyros sync setup URL --token-file FILE"
      )),
    "AUTHENTICATION_REQUIRED": Cause(
      "The sign-in has run out.",
      "サインインの期限が切れました。",
      remedy: (
        "Sign in again: skyros sync setup URL --token-file FILE",
        "サインインし直してください: skyros sync setup URL --token-file FILE"
      )),
    "BAD_REQUEST": Cause(
      "The service can't take the record as it is.",
      "サービスはこのレコードをこのままでは受け取れません。",
      remedy: (
        "Look at the reason, change the record, and save it.",
        "理由を見てレコードを直し、保存してください。"
      )),
    "planToConfirm": Cause(
      "Records that the service held are not there any more.",
      "サービスにあったレコードがなくなっています。",
      remedy: (
        "Read the plan and decide: send them again, or put them into the trash here.",
        "計画を読んで決めてください: もう一度送るか、ここでもごみ箱に入れるか。"
      )),
    "CONFLICT": Cause(
      "Somebody else changed the record at the same time.",
      "同時に誰かがこのレコードを変えました。"),
    "EXISTS": Cause(
      "The record is on the service already.",
      "レコードは既にサービスにあります。"),
    "INTERNAL_ERROR": Cause(
      "The service has a problem of its own.",
      "サービス側に問題があります。"),
    "NOT_FOUND": Cause(
      "The service does not have what was asked for.",
      "求めたものがサービスにありません。"),
    "QUOTA_EXCEEDED": Cause(
      "There is no room left on the service.",
      "サービスに空きがありません。",
      remedy: (
        "Free space there, then: skyros sync now",
        "空きを作ってから: skyros sync now"
      )),
    "THROTTLED": Cause(
      "The service asks for a slower pace.",
      "サービスが速度を落とすよう求めています。"),
    "TRY_AGAIN_LATER": Cause(
      "The service is busy.",
      "サービスが混み合っています。"),
    "VALIDATING_REFERENCE_ERROR": Cause(
      "The service refused a reference of the record.",
      "サービスがレコードの参照を拒みました。",
      remedy: (
        "Look at the reason, change the record, and save it.",
        "理由を見てレコードを直し、保存してください。"
      )),
    "ZONE_NOT_FOUND": Cause(
      "The zone is not on the service.",
      "ゾーンがサービスにありません。"),
    "UNIQUE_FIELD_ERROR": Cause(
      "The service holds another record with the same value in a field that must differ.",
      "重複できないフィールドに同じ値を持つレコードがサービスにあります。",
      remedy: (
        "Change the value and save.",
        "値を変えて保存してください。"
      )),
    "tokenRefused": Cause(
      "The service no longer knows how far we had read.",
      "どこまで読んだかをサービスが覚えていません。"),
    "tokenRefused.retention": Cause(
      "We were away longer than the service remembers.",
      "サービスの記憶より長く離れていました。"),
    "tokenRefused.future": Cause(
      "The service was put back to an older state.",
      "サービスが以前の状態に戻されました。"),
    "tokenRefused.recreated": Cause(
      "The zone was deleted and made again.",
      "ゾーンが削除されて作り直されました。"),
    "foreignPage": Cause(
      "Something else than the service answered: a sign-in page of the network, or a proxy.",
      "サービスでないものが答えました。ネットワークのサインイン画面かプロキシです。",
      remedy: (
        "Open a web page to sign in to the network, or check the address.",
        "ウェブページを開いてサインインするか、アドレスを確かめてください。"
      )),
    "garbled": Cause(
      "The service's answer broke off or can't be read.",
      "サービスの答えが途切れたか、読めません。"),
    "missing": Cause(
      "The service left out part of its answer.",
      "サービスの答えに欠けた部分があります。"),
    "serverTrouble": Cause(
      "The service has a problem of its own.",
      "サービス側に問題があります。"),
    "unexpectedStatus": Cause(
      "The service answered in a way that its protocol does not know.",
      "サービスがプロトコルにない答え方をしました。",
      remedy: (
        "Check the address and the container: skyros sync setup URL",
        "アドレスとコンテナを確かめてください: skyros sync setup URL"
      )),
    "tooLong": Cause(
      "Something on the way does not take requests of that size.",
      "途中の何かが、この大きさの要求を通しません。"),
    "clockSkew": Cause(
      "This machine's clock and the service's differ by minutes.",
      "この端末とサービスの時計が何分もずれています。",
      remedy: (
        "Set the clock.",
        "時計を合わせてください。"
      )),
    "nameNotFound": Cause(
      "The service's name has no address: no network, or a mistake in it.",
      "サービスの名前が見つかりません。ネットワークがないか、名前の誤りです。"),
    "unreachable": Cause(
      "The service can't be reached: it is off, or there is no network.",
      "サービスに届きません。止まっているか、ネットワークがありません。"),
    "untrusted": Cause(
      "The service's certificate is not trusted.",
      "サービスの証明書を信頼できません。",
      remedy: (
        "Check the address; install the certificate of who runs the service.",
        "アドレスを確かめ、サービスの管理者の証明書を入れてください。"
      )),
    "timedOut": Cause(
      "The service took too long to answer.",
      "サービスの答えに時間がかかりすぎました。"),
    "interrupted": Cause(
      "The connection broke.",
      "接続が切れました。"),
    "oversized": Cause(
      "The service's answer is longer than its protocol allows.",
      "サービスの答えがプロトコルの上限を超えています。"),
    "cancelled": Cause(
      "It was stopped.",
      "中断されました。"),
    "storeFailed": Cause(
      "The library could not be read or written.",
      "ライブラリを読み書きできませんでした。",
      remedy: (
        "Examine it: skyros doctor",
        "調べてください: skyros doctor"
      )),
    "otherAccount": Cause(
      "The service takes us for somebody else than before. Nothing was mixed.",
      "サービスは以前と別の人とみなしています。何も混ぜていません。",
      remedy: (
        "Sign in as before, or turn sync off and set it up anew: skyros sync off",
        "以前のようにサインインするか、同期を切って設定し直してください: skyros sync off"
      )),
    "accountRemoved": Cause(
      "The service removed this account and all that it kept. Nothing was deleted here; your edits wait.",
      "サービスがこのアカウントと中身を削除しました。こちらでは何も削除せず、編集は待っています。",
      remedy: (
        "Get a new account and take the records there: skyros sync setup URL --token-file FILE --mix",
        "新しいアカウントを得て、レコードを移してください: skyros sync setup URL --token-file FILE --mix"
      )),
    "zoneGone": Cause(
      "Somebody deleted the zone on the service. Nothing was deleted here.",
      "誰かがサービスのゾーンを削除しました。こちらでは何も削除していません。",
      remedy: (
        "Read the plan and decide: send everything again, or put it into the trash here.",
        "計画を読んで決めてください: すべて送り直すか、ここでもごみ箱に入れるか。"
      )),
    "unknownType": Cause(
      "A record of a type that only a newer model knows.",
      "新しいモデルだけが知る種類のレコードです。"),
    "newer": Cause(
      "A record written by a newer Skyros.",
      "新しい Skyros が書いたレコードです。",
      remedy: (
        "Update Skyros.",
        "Skyros を更新してください。"
      )),
    "damaged": Cause(
      "A record that can't be read.",
      "読めないレコードです。"),
    "absent": Cause(
      "The service had taken it, and does not have it any more; it can't say why.",
      "サービスが受け取ったのに今はありません。理由は分かりません。",
      remedy: (
        "To send it again: skyros sync now. To drop it: skyros delete",
        "送り直すには: skyros sync now。捨てるには: skyros delete"
      )),
    "recordTooLarge": Cause(
      "The record is larger than a service takes.",
      "レコードがサービスの上限より大きいです。",
      remedy: (
        "Shorten its text and save it.",
        "文章を短くして保存してください。"
      )),
  ]
}
