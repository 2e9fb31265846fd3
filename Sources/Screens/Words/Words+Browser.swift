// Sentences of the browser, its panes, and the desk.

internal import TerminalKit
internal import Wording

extension Words {
  /// The columns of a label, for laying it out.
  func columns(_ text: String) -> Int { TextWidth.columns(text) }

  var yes: String { self("yes", "はい") }
  var no: String { self("no", "いいえ") }
  var libraryInMemory: String { self("in memory", "メモリー内") }
  var goneRecord: String { self("(a record that is gone)", "（存在しないレコード）") }
  var untitled: String { self("(untitled)", "（無題）") }

  // MARK: Types

  var conflicts: String { self("Conflicts", "競合") }
  var history: String { self("History", "履歴") }
  var trash: String { self("Trash", "ゴミ箱") }
  var emptyLibrary: String {
    self(
      "This library has no record types yet. Press I to import a file, or M to make a type.",
      "まだレコードの種類がありません。I で読み込むか、M で種類を作ってください。")
  }

  // MARK: Lists

  var loading: String { self("Loading…", "読み込み中…") }
  var searching: String { self("searching…", "検索中…") }
  var search: String { self("Search", "検索") }
  var filter: String { self("Filter", "絞り込み") }
  var searchHint: String { self("words to find", "探す言葉") }
  var filterHint: String {
    self("country=JP population>1000000 name~port", "country=JP population>1000000 name~port")
  }
  var filterHelp: String {
    self(
      "= < > ~ contains  :tag  -not  or(…)   Tab completes",
      "= < > ~ 含む  :タグ  -否定  or(…)   Tab で補完")
  }
  var nothingFound: String {
    self("Nothing found. Esc shows everything again.", "見つかりません。Esc ですべて表示します。")
  }
  func emptyList(_ type: String) -> String {
    self(
      "No \(type) yet. Press a to add one, or I to import a file.",
      "\(type)はまだありません。a で追加、I で読み込みます。")
  }
  func marked(_ number: Int) -> String { self("\(number) marked", "\(number) 件に印") }
  func pinned(arrived: Int) -> String {
    arrived == 0
      ? self("Pinned. Press F to follow changes.", "固定中。F で変更に追従します。")
      : self(
        "\(count(arrived, "change", "changes", "件")) arrived. Press R to show.",
        "変更が \(arrived) 件届きました。R で表示します。")
  }
  var following: String { self("The list follows changes.", "一覧は変更に追従します。") }
  var nowPinned: String {
    self("The list is held as it is; R refreshes it.", "一覧を固定しました。R で更新します。")
  }
  var nothingHere: String { self("There is nothing here.", "ここには何もありません。") }

  // MARK: Records

  func referredBy(_ type: String) -> String {
    self("Referred to by \(type)", "\(type) から参照")
  }
  var moreReferrers: String { self("… and more", "… ほか") }
  func times(created: String, modified: String) -> String {
    self("made \(created), changed \(modified)", "作成 \(created)　更新 \(modified)")
  }
  var fieldInConflict: String {
    self("In conflict: press c to see every side.", "競合しています。c で各側を見ます。")
  }
  func conflictCount(_ number: Int) -> String { count(number, "conflict", "conflicts", "件の競合") }
  var noConflicts: String { self("This record has no conflicts.", "競合はありません。") }
  var pending: String { self("pending", "送信待ち") }
  var recordInTrash: String {
    self("This record is in the trash; r restores it.", "このレコードはゴミ箱にあります。r で戻します。")
  }
  var notInTrash: String { self("This record is not in the trash.", "ゴミ箱にありません。") }
  var recordGone: String {
    self("This record is gone: it was purged.", "このレコードは完全に削除されました。")
  }

  // MARK: Deleting and undoing

  var delete: String { self("Delete", "削除") }
  func deleted(_ number: Int) -> String {
    self("\(records(number)) moved to the trash; u brings back.", "\(number) 件をゴミ箱に移しました。u で戻します。")
  }
  func deleted(titled title: String) -> String {
    self("Moved to the trash: \(title); u brings it back.", "ゴミ箱に移しました: \(title)。u で戻します。")
  }
  func deleteQuestion(_ number: Int) -> String {
    self("Delete \(records(number))?", "\(number) 件を削除しますか？")
  }
  var deleteExplained: String {
    self(
      "They go to the trash in one transaction, which one undo takes back.",
      "一つのトランザクションでゴミ箱に移り、一度の取り消しで戻せます。")
  }
  func undone(_ what: String, skipped: Int) -> String {
    let done = self(
      "Undone – \(what). U makes it again.", "取り消しました（\(what)）。U でやり直します。")
    guard skipped > 0 else { return done }
    let left = self(
      "\(records(skipped)) changed since and stayed.", "その後変わった \(skipped) 件はそのままです。")
    return done + " " + left
  }
  func redone(_ number: Int64) -> String {
    self(
      "Made again, in transaction \(number).", "トランザクション \(number) でやり直しました。")
  }
  var nothingToRedo: String { self("There is nothing to redo.", "やり直すものはありません。") }
  func restored(_ number: Int) -> String {
    self("\(records(number)) restored.", "\(number) 件を戻しました。")
  }
  func copied(_ what: String) -> String { self("Copied: \(what)", "コピーしました: \(what)") }
  var tooLongToCopy: String {
    self(
      "This is more than terminals take: only its beginning was copied.",
      "端末の上限を超えるため、先頭だけをコピーしました。")
  }
  func tooManyToEdit(_ number: Int, _ most: Int) -> String {
    self(
      "\(number) records are too many for one form (\(most)). Narrow the list first.",
      "\(number) 件は多すぎます（最大 \(most)）。先に絞り込んでください。")
  }

  // MARK: Buttons

  var cancel: String { self("Cancel", "やめる") }
  var ok: String { self("OK", "OK") }

  // MARK: The pulse

  func waiting(behind other: String) -> String { self("waits for \(other)", "\(other) を待っています") }
  var writing: String { self("saving…", "保存中…") }
  func part(_ done: Int, of total: Int) -> String {
    self("\(done) of \(total)", "\(total) 件中 \(done) 件")
  }
  func deleting(_ number: Int) -> String {
    self("deleting \(records(number))", "\(number) 件を削除中")
  }
  func restoring(_ number: Int) -> String {
    self("restoring \(records(number))", "\(number) 件を復元中")
  }
  func purging(_ number: Int) -> String {
    self("purging \(records(number))", "\(number) 件を完全に削除中")
  }
  func undoing(_ number: Int?) -> String {
    number.map { self("undoing \(records($0))", "\($0) 件を取り消し中") } ?? self("undoing", "取り消し中")
  }
  var redoing: String { self("redoing", "やり直し中") }
  /// Beside the state of sync, all the time.
  var readOnly: String { self("read-only", "読み取り専用") }
}
