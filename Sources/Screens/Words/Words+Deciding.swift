// Sentences of what a person decides about sync: a plan for what the service lost, and a library that
// is to leave for another account.

internal import RecordStore
internal import Sync
internal import ViewModels
internal import Wording

extension Words {
  // MARK: The plan

  var planTitle: String { self("Records are gone from the service", "サービスからレコードが失われました") }
  var nothingToDecide: String { self("There is nothing to decide.", "決めることはありません。") }
  var sendAgainButton: String { self("Send again", "もう一度送る") }
  var deleteHereButton: String { self("To the trash here too", "ここでもごみ箱へ") }
  var laterButton: String { self("Later", "あとで") }

  func planWaits(_ plan: SyncPlan) -> String {
    self(
      "Sync stopped: \(records(plan.absent + plan.edited)) are gone from the service. S, then d "
        + "to decide.",
      "同期が止まりました。\(plan.absent + plan.edited) 件がサービスから失われています。S、次に d で決めます。")
  }

  /// Why, how many, and what each decision does.
  func explained(_ plan: SyncPlan) -> String {
    [
      SyncWords.comparison(plan.reason.rawValue, in: self),
      self(
        "\(records(plan.absent)) that the service had taken are not there any more.",
        "サービスが受け取った \(plan.absent) 件が今はありません。"),
      self(
        "Send again: \(records(plan.sentAgain(.sendAgain))) go to the service once more.",
        "もう一度送る: \(plan.sentAgain(.sendAgain)) 件を送り直します。"),
      self(
        "To the trash: \(records(plan.deletedHere(.deleteHere))) go into the trash here, after a "
          + "backup.",
        "ごみ箱へ: \(plan.deletedHere(.deleteHere)) 件を、バックアップの後にここでもごみ箱に入れます。"),
      plan.edited > 0
        ? self(
          "\(records(plan.edited)) were edited here since: they stay, and are sent in any case.",
          "\(plan.edited) 件はその後ここで編集されたため、残して送ります。")
        : nil,
      self("Until then sync waits, and nothing changes.", "決めるまで同期は待ち、何も変わりません。"),
    ].compactMap { $0 }.joined(separator: "\n")
  }

  /// What a decision that was made is going to do.
  func decided(_ decision: SyncDecision, _ count: Int) -> String {
    switch decision {
    case .sendAgain:
      self("\(records(count)) will be sent again.", "\(count) 件をもう一度送ります。")
    case .deleteHere:
      self(
        "\(records(count)) go into the trash here, after a backup.",
        "\(count) 件を、バックアップの後にごみ箱に入れます。")
    }
  }

  // MARK: Another account

  var otherAccountTitle: String { self("Another account or zone", "別のアカウントかゾーン") }
  func sendThere(_ count: Int) -> String {
    self("Send \(records(count)) there", "\(count) 件をそこへ送る")
  }

  func explained(_ change: ServiceChange) -> String {
    [
      change.hasRecordsThere
        ? self(
          "This library synced with another account or zone, and the new one has records: the "
            + "\(records(change.records)) here would be mixed with them.",
          "このライブラリは別のアカウントかゾーンと同期していました。新しい方には既にレコードがあり、ここの "
            + "\(change.records) 件と混ざります。")
        : self(
          "This library synced with another account or zone, and the new one is empty: the "
            + "\(records(change.records)) here would be sent there.",
          "このライブラリは別のアカウントかゾーンと同期していました。新しい方は空で、ここの \(change.records) 件がそこへ送られます。"),
      change.unsent > 0
        ? self(
          "\(records(change.unsent)) never reached the old one.",
          "\(change.unsent) 件は元の方に届いていません。")
        : nil,
    ].compactMap { $0 }.joined(separator: " ")
  }

  // MARK: Attached files

  var contentNotHere: String {
    self("The file has not arrived here yet.", "ファイルはまだここに届いていません。")
  }

  // MARK: Signing in

  var signInHere: String {
    self(
      "To sign in, open this page in a browser of this machine:", "この端末のブラウザーで次のページを開き、サインインしてください:"
    )
  }
  var noPageYet: String { self("There is no page to sign in on.", "サインインのページはありません。") }
}
