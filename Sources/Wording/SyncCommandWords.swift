// What the sync commands of the command line say.

package struct SyncCommandWords: Sendable {
  let words: Words

  // MARK: A run

  package func moved(taken: Int, sent: Int) -> String {
    words("\(taken) taken in, \(sent) sent", "取込 \(taken)、送信 \(sent)")
  }
  package func waiting(_ number: Int) -> String { words("\(number) waiting", "待ち \(number)") }
  package func aside(_ number: Int) -> String {
    words("\(number) set aside: skyros status", "保留 \(number): skyros status")
  }
  package func conflicts(_ number: Int) -> String {
    words("\(words.conflicts(number)): skyros conflicts", "競合 \(number): skyros conflicts")
  }
  package func tries(_ number: Int) -> String { words("\(number) times", "\(number) 回") }
  package var received: String { words("received", "受信") }
  package var applied: String { words("applied", "取込") }
  package var merged: String { words("merged", "統合") }
  package var conflicting: String { words("conflicting", "競合") }
  package var sent: String { words("sent", "送信") }
  package var acknowledged: String { words("acknowledged", "受領") }
  package var setAside: String { words("set aside", "保留") }

  // MARK: Steering

  package func paused(_ waiting: Int) -> String {
    words("Sync is paused. Waiting: \(words.records(waiting)).", "同期を一時停止しました。\(waiting) 件が待っています。")
  }
  package func resumed(_ waiting: Int) -> String {
    words(
      "Sync goes on. To send \(words.records(waiting)): skyros sync",
      "同期を再開しました。\(waiting) 件を送ります: skyros sync")
  }
  package func off(_ unsent: Int) -> String {
    unsent == 0
      ? words("Sync is off. Everything had been sent.", "同期を切りました。すべて送信済みです。")
      : words(
        "Sync is off. \(words.savedChanges(unsent)) never sent: kept in the library.",
        "同期を切りました。\(unsent) 件の変更は未送信で、ライブラリに残ります。")
  }
  package func setUp(_ service: String, zone: String, pending: Int) -> String {
    words(
      "Syncs with \(service), zone \(zone). To send \(words.records(pending)): skyros sync",
      "\(service)、ゾーン \(zone) と同期します。\(pending) 件を送ります: skyros sync")
  }
  package func signIn(_ page: String) -> String {
    words(
      "To sign in, open this page in a browser of this machine: \(page)",
      "サインインするには、この端末のブラウザーで次のページを開いてください: \(page)")
  }

  // MARK: Status

  package var service: String { words("service", "相手") }
  package func service(_ name: String, zone: String) -> String {
    words("\(name), zone \(zone)", "\(name)、ゾーン \(zone)")
  }
  package var waiting: String { words("waiting", "待ち") }
  package func toSend(_ number: Int) -> String { words("\(number) to send", "送信 \(number) 件") }
  package var modelToSend: String { words("a change of the model", "モデルの変更") }
  package var imported: String { words("imported", "受信") }
  package var exported: String { words("exported", "送信") }
  package var inConflict: String { words("conflicts", "競合") }
  package func seeConflicts(_ number: Int) -> String {
    words("in \(words.records(number)): skyros conflicts", "\(number) 件: skyros conflicts")
  }
  package var attachments: String { words("files", "ファイル") }
  package func attachments(waiting: Int, missing: Int) -> String {
    words("\(waiting) to come, \(missing) missing", "未着 \(waiting)、入手不可 \(missing)")
  }
  package var failed: String { words("failed", "失敗") }
  package func failure(of phase: String, _ sentence: String) -> String {
    words("\(phase): \(sentence)", "\(phase): \(sentence)")
  }
  package var heldBack: String { words("held back", "保管") }
  package func record(_ type: String, _ id: String, _ sentence: String) -> String {
    words("\(type) \(id): \(sentence)", "\(type) \(id): \(sentence)")
  }
  package var someRecord: String { words("record", "レコード") }

  // MARK: The plan

  package var nothingToRepair: String { words("There is nothing to repair.", "修復することはありません。") }
  package func gone(_ number: Int, _ cause: String) -> String {
    words(
      "\(number) records that the service held are not there. \(cause)",
      "サービスにあった \(number) 件がありません。\(cause)")
  }
  package var kept: String { words("kept", "残る") }
  package var editedHere: String { words("edited here", "ここで編集") }
  package func editedStay(_ number: Int) -> String {
    words("\(number), which stay and are sent again", "\(number)、残して送り直します")
  }
  package var toTrash: String { words("to the trash", "ごみ箱へ") }
  package func toTrash(_ number: Int) -> String {
    words(
      "\(number) with: skyros sync plan --delete-here",
      "\(number)、skyros sync plan --delete-here")
  }
  package var sentAgain: String { words("sent again", "送り直す") }
  package func sentAgain(_ number: Int) -> String {
    words(
      "\(number) with: skyros sync plan --send-again", "\(number)、skyros sync plan --send-again")
  }
  package var decided: String {
    words("It is decided, and done with: skyros sync", "決定済みです。skyros sync で実行します。")
  }

  /// After the name of an attached file whose content is not here.
  package var notHere: String { words("not here yet", "未着") }

  // MARK: Refusals

  package var notSetUp: String {
    words(
      "Sync is not set up. See: skyros sync setup --help",
      "同期は未設定です: skyros sync setup --help")
  }
  package var isPaused: String {
    words(
      "Sync is paused. To go on: skyros sync resume", "同期は一時停止中です。再開: skyros sync resume")
  }
  package func badAddress(_ text: String) -> String {
    words(
      "'\(text)' is no address of a service: file:PATH, http://… or https://…",
      "'\(text)' はサービスのアドレスではありません。file:PATH、http://…、https://…")
  }
  package var needsTokens: String {
    words(
      "Nobody signed in: do it on the page of the server, or give --token-file FILE with what "
        + "skyros-server token add --json printed, or - for standard input.",
      "サインインしていません。サーバーのページでサインインするか、skyros-server token add --json の出力を "
        + "--token-file FILE（- は標準入力）で渡してください。")
  }
  package func badTokens(_ path: String) -> String {
    words(
      "'\(path)' does not hold what skyros-server token add prints with --json.",
      "'\(path)' に skyros-server token add --json の出力がありません。")
  }
  package func tokensMissing(_ service: String) -> String {
    words(
      "The sign-in for \(service) is not on this machine: skyros sync setup \(service) "
        + "--token-file FILE",
      "\(service) のサインインがこの端末にありません: skyros sync setup \(service) --token-file FILE")
  }
  package func tokensNotKept(_ path: String) -> String {
    words("The tokens can't be written to '\(path)'.", "トークンを '\(path)' に書けません。")
  }
  package func serviceFile(_ path: String, _ reason: String) -> String {
    words(
      "The service's file '\(path)' can't be used: \(reason)",
      "サービスのファイル '\(path)' を使えません: \(reason)")
  }
  package var busyElsewhere: String {
    words(
      "Another skyros syncs this library and did not finish in time. See: skyros status",
      "別の skyros が同期していて、時間内に終わりませんでした: skyros status")
  }
  package var syncedElsewhere: String {
    words(
      "Another skyros syncs this library now: close it first, or do this in it (S, then o).",
      "別の skyros が同期しています。先に閉じるか、その中で行ってください（S、次に o）。")
  }
  package func wouldMix(_ number: Int, unsent: Int) -> String {
    words(
      "This library synced with another account or zone, and the new one has records already: "
        + "\(words.records(number)) from here would be mixed with them "
        + "(\(words.savedChanges(unsent)) never reached "
        + "the old one). Nothing was changed. To do so: --mix",
      "このライブラリは別のアカウントかゾーンと同期していて、新しい方には既にレコードがあります。ここの "
        + "\(number) 件と混ざります（\(unsent) 件の変更は元の方に未送信）。何も変えていません。行うには --mix")
  }
  package func wouldMove(_ number: Int, unsent: Int) -> String {
    words(
      "This library synced with another account or zone, and the new one is empty: "
        + "\(words.records(number)) from here would be sent there "
        + "(\(words.savedChanges(unsent)) never reached the old "
        + "one). Nothing was changed. To do so: --mix",
      "このライブラリは別のアカウントかゾーンと同期していて、新しい方は空です。ここの \(number) 件が送られます（"
        + "\(unsent) 件の変更は元の方に未送信）。何も変えていません。行うには --mix")
  }
}

/// The headings of the tables that commands print.
package struct TableWords: Sendable {
  let words: Words

  package var id: String { words("id", "id") }
  package var type: String { words("type", "種類") }
  package var title: String { words("title", "名前") }
  package var deleted: String { words("deleted", "削除") }
  package var conflict: String { words("conflict", "競合") }
  package var field: String { words("field", "項目") }
  package var shown: String { words("shown", "今の値") }
  package var others: String { words("others", "他の値") }
  package var transaction: String { words("transaction", "番号") }
  package var at: String { words("at", "日時") }
  package var author: String { words("author", "書き手") }
  package var origin: String { words("origin", "由来") }
  package var records: String { words("records", "件数") }
  package var what: String { words("what", "内容") }
  package var fields: String { words("fields", "項目") }
}

extension Words {
  /// What the sync commands say.
  package var syncing: SyncCommandWords { SyncCommandWords(words: self) }
  /// The headings of tables.
  package var table: TableWords { TableWords(words: self) }
}
