// Sentences of drafts, columns, sorting, history and trash.

internal import RecordStore
internal import Records
internal import Wording

extension Words {
  var record: String { self("Record", "レコード") }
  var type: String { self("Type", "種類") }

  // MARK: Drafts

  var recoveredDrafts: String { self("Recovered drafts", "回復した下書き") }
  var changedFields: String { self("Changed", "変更") }
  var noDrafts: String { self("There are no drafts to recover.", "回復する下書きはありません。") }
  func newTitled(_ title: String) -> String { self("new: \(title)", "新規: \(title)") }
  var draftTypeGone: String {
    self("The model no longer has the type of this draft.", "この下書きの種類はモデルにありません。")
  }
  var dropDraftQuestion: String { self("Discard this draft?", "下書きを捨てますか？") }
  var dropDraftExplained: String {
    self("What was typed is lost for good.", "入力された内容は失われます。")
  }
  var draftsExplained: String {
    self(
      "An earlier session ended before these edits were saved.",
      "以前のセッションが保存の前に終わりました。")
  }

  // MARK: History

  var when: String { self("When", "いつ") }
  var what: String { self("What", "内容") }
  var who: String { self("Who", "誰") }
  var origin: String { self("Origin", "由来") }
  var noHistory: String { self("Nothing was saved yet.", "まだ保存されたものはありません。") }
  func transaction(_ number: Int64) -> String {
    self("Transaction \(number)", "トランザクション \(number)")
  }
  func origin(_ origin: Origin) -> String {
    switch origin {
    case .edit: self("edit", "編集")
    case .importFile: self("import", "読み込み")
    case .sync: self("sync", "同期")
    case .undo: self("undo", "取り消し")
    case .migration: self("model", "モデル")
    case .repair: self("repair", "修復")
    }
  }
  func verb(_ kind: ChangeKind) -> String {
    switch kind {
    case .insert: self("added", "追加")
    case .update: self("changed", "変更")
    case .delete: self("deleted", "削除")
    case .restore: self("restored", "復元")
    case .purge: self("purged", "完全削除")
    }
  }
  var undo: String { self("Undo", "元に戻す") }
  func undoOf(_ number: Int64) -> String {
    self("undo of transaction \(number)", "トランザクション \(number) の取り消し")
  }
  func undoQuestion(_ number: Int64) -> String {
    self("Undo transaction \(number)?", "トランザクション \(number) を取り消しますか？")
  }
  func undoExplained(_ number: Int) -> String {
    self(
      "It takes back \(records(number)) in one new transaction, which can be undone too.",
      "\(number) 件を一つの新しいトランザクションで戻します。これも取り消せます。")
  }
  func undoneAlready(by number: Int64) -> String {
    self(
      "It was undone already, by transaction \(number).", "トランザクション \(number) で取り消し済みです。")
  }
  var openWhich: String { self("Open which record?", "どのレコードを開きますか？") }
  func moreRecords(_ number: Int) -> String {
    self("… and \(records(number)) more", "… ほか \(number) 件")
  }

  // MARK: Trash

  var deletedAt: String { self("Deleted", "削除日時") }
  var trashEmpty: String { self("The trash is empty.", "ゴミ箱は空です。") }
  var purge: String { self("Purge", "完全に削除") }
  func purgeQuestion(_ number: Int) -> String {
    self("Purge \(records(number))?", "\(number) 件を完全に削除しますか？")
  }
  var purgeExplained: String {
    self(
      "They are removed for good, with what their history held. This can't be undone.",
      "履歴と共に完全に消え、元に戻せません。")
  }
  func purged(_ number: Int) -> String {
    self("\(records(number)) purged.", "\(number) 件を完全に削除しました。")
  }

  // MARK: Choosing records

  var noReference: String { self("(none)", "（なし）") }
  var noRecordFits: String { self("No record fits.", "合うレコードはありません。") }
  var onlyOneReference: String {
    self("This field takes one record.", "このフィールドは一件だけです。")
  }
  var typeForMore: String { self("There are more: type on.", "ほかにもあります。続けて入力してください。") }

  // MARK: Exporting

  var exportTitle: String { self("Export", "書き出し") }
  func exportExplained(_ number: Int, isMarked: Bool) -> String {
    isMarked
      ? self(
        "\(records(number)) that are marked, into a new file; .csv, .json or .ndjson.",
        "印の付いた \(number) 件を新しいファイルに。.csv .json .ndjson")
      : self(
        "The list (\(records(number))), into a new file; .csv, .json or .ndjson.",
        "一覧の \(number) 件を新しいファイルに。.csv .json .ndjson")
  }
  var exportEndings: String {
    self("The ending says the format: .csv, .json or .ndjson.", "末尾は .csv .json .ndjson のどれかです。")
  }
  func exported(_ number: Int, _ path: String) -> String {
    self("\(records(number)) written to \(path).", "\(number) 件を \(path) に書きました。")
  }

  // MARK: Sorting and columns

  var sortBy: String { self("Sort by", "並べ替え") }
  var ownOrder: String { self("The type's own order", "既定の順") }
  var ownOrderHelp: String { self("as the model says", "モデルの通り") }
  var columnsTitle: String { self("Columns", "列") }
  var columnNotShown: String { self("This field is not shown.", "このフィールドは表示されていません。") }

  // MARK: Groups and views

  var groupBy: String { self("Group by", "グループ") }
  var noGroups: String { self("No groups", "グループなし") }
  var saveViewTitle: String { self("Save view", "ビューを保存") }
  var saveViewExplained: String {
    self(
      "Its name. Filter, search, order, columns and groups are kept; the name of a view that is "
        + "there replaces it.",
      "ビューの名前。絞り込み・検索・並び・列・グループを残します。同じ名前なら置き換えます。")
  }
  var viewsTitle: String { self("Views", "ビュー") }
  func viewSaved(_ name: String) -> String {
    self("View saved: \(name)", "ビューを保存しました: \(name)")
  }
  var tooManyViews: String { self("There are too many views: drop one first.", "ビューが多すぎます。") }
  var noViews: String { self("No view is saved yet; w saves one.", "ビューはまだありません。w で保存します。") }
  var noView: String {
    self(
      "Only a saved view is dropped here; Enter goes to the records.",
      "ここで消せるのは保存したビューだけです。Enter でレコードへ移ります。")
  }
  var nameNeeded: String { self("A name is needed.", "名前が必要です。") }
  var nameTooLong: String { self("This name is too long.", "名前が長すぎます。") }
  func dropViewQuestion(_ name: String) -> String {
    self("Drop the view \(name)?", "ビュー「\(name)」を消しますか？")
  }
  var dropViewExplained: String { self("Its records stay.", "レコードは残ります。") }
  var drop: String { self("Drop", "消す") }

  // MARK: Looking closer

  func inspecting(_ label: String) -> String { self("Inspect \(label)", "\(label) の文字") }
  func textSize(characters: Int, scalars: Int, bytes: Int) -> String {
    self(
      "\(count(characters, "character", "characters", "")), "
        + "\(count(scalars, "code point", "code points", "")), \(self.bytes(bytes))",
      "\(characters) 文字、コードポイント \(scalars)、\(bytes) バイト")
  }
  var more: String { self("… and more", "… ほか") }
  var noAttachment: String { self("No file is attached here.", "ここに添付ファイルはありません。") }
  var saveFileTitle: String { self("Save file", "ファイルに保存") }
  func saveFileExplained(_ name: String) -> String {
    self("Where \(shortened(name)) goes; Tab completes.", "\(shortened(name)) の保存先。Tab で補完します。")
  }
  func fileSaved(_ path: String) -> String {
    self("Written to \(path).", "\(path) に書きました。")
  }
}
