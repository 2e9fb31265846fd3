// Sentences of the form and of the comparisons.

internal import Records
internal import ViewModels
internal import Wording

extension Words {
  func newRecord(_ type: String) -> String { self("New \(type)", "新しい\(type)") }
  func editing(_ number: Int, _ type: String) -> String {
    self("Edit \(number) \(type)", "\(type) \(number) 件を編集")
  }
  func editing(_ title: String) -> String { self("Edit \(title)", "\(title) を編集") }

  // MARK: Leaving

  var save: String { self("Save", "保存") }
  var discard: String { self("Discard", "破棄") }
  var keepEditing: String { self("Keep editing", "編集を続ける") }
  var discardQuestion: String { self("Unsaved changes", "保存していない変更") }
  var discardExplained: String {
    self("Save what you typed, or discard it?", "入力を保存しますか、破棄しますか？")
  }
  var goneQuestion: String { self("The record was deleted meanwhile", "レコードは削除されました") }
  var trashedExplained: String {
    self(
      "It is in the trash. You can restore it and save what you typed.",
      "ゴミ箱にあります。戻して入力を保存できます。")
  }
  var purgedExplained: String {
    self(
      "It was purged. You can save what you typed as a new record.",
      "完全に削除されました。入力を新しいレコードとして保存できます。")
  }
  func bulkQuestion(changed: Int, gone: Int) -> String {
    self(
      "Meanwhile \(changed) of the records changed and \(gone) went away",
      "その間に \(changed) 件が変わり、\(gone) 件がなくなりました")
  }
  var bulkExplained: String {
    self(
      "Save over what others entered in these fields? Records that are gone are left out.",
      "他で入力された値に上書きして保存しますか？なくなったレコードは除きます。")
  }
  var saveOverThem: String { self("Save over them", "上書きして保存") }
  var restoreAndSave: String { self("Restore and save", "戻して保存") }
  var saveAsNew: String { self("Save as new", "新規に保存") }

  // MARK: Outcomes

  func saved(_ number: Int, merged: [String]) -> String {
    let saved =
      number > 1
      ? self("Saved \(records(number)).", "\(number) 件を保存しました。")
      : self("Saved.", "保存しました。")
    guard !merged.isEmpty else { return saved }
    let names = merged.joined(separator: ", ")
    return saved + " "
      + self("Merged with what others saved in \(names).", "他の保存と統合しました: \(names)。")
  }
  var nothingChanged: String { self("Nothing was changed.", "変更はありません。") }

  // MARK: Remarks above the form

  func bulkExplained(_ number: Int) -> String {
    self(
      "\(records(number)): only the fields that you change are written, to all of them.",
      "\(number) 件: 変えたフィールドだけがすべてに書かれます。")
  }
  var recoveredExplained: String {
    self(
      "A draft that an earlier session left: nothing of it is saved yet.",
      "以前のセッションの下書きです。まだ保存されていません。")
  }
  func changedUnderneath(_ number: Int) -> String {
    self(
      "Others changed \(count(number, "field", "fields", "")) of this record since you opened it.",
      "開いた後に他で \(number) 個のフィールドが変わりました。")
  }
  var trashedUnderneath: String {
    self("Somebody moved this record to the trash meanwhile.", "このレコードはゴミ箱に移されました。")
  }
  var goneUnderneath: String {
    self("Somebody purged this record meanwhile.", "このレコードは完全に削除されました。")
  }
  func notJournaled(_ reason: String) -> String {
    self("What you type is not kept safe from a crash: \(reason)", "下書きを保護できません: \(reason)")
  }

  // MARK: Fields

  var mixedValues: String { self("(they differ)", "（異なる値）") }
  func hint(for type: FieldType) -> String {
    switch type {
    case .date:
      self(
        "2026-11-21, today+7d; C-t today, PgUp a week, A-Up a day",
        "2026-11-21, today+7d; C-t 今日、PgUp 1 週、A-Up 1 日")
    case .dateTime: self("like 2026-11-21 14:30", "2026-11-21 14:30 のように")
    case .location: self("like 38.9,24.5", "38.9,24.5 のように")
    case .reference, .references: self("Enter chooses", "Enter で選ぶ")
    case .attachment: self("Enter attaches a file", "Enter で添付")
    case .tags: self("type, then Enter", "入力して Enter")
    case .boolean: self("no value: Space ticks", "値なし: Space で印")
    default: ""
    }
  }
  func drift(_ drift: Drift, values: ValueWords, titles: [RecordID: String]) -> String {
    let theirs = values.line(drift.theirs, titles: titles)
    let shown = theirs.isEmpty ? self("(empty)", "（空）") : theirs
    var text = self("changed underneath: \(shown)", "他で変更: \(shown)")
    if let author = drift.by {
      text += " " + by(author.author, author.deviceName, values.time(author.at))
    }
    switch drift.choice {
    case .mine: text += self(" – keeping mine", " – 自分の値")
    case .theirs: text += self(" – taking theirs", " – 相手の値")
    case nil:
      if drift.isContested { text += self(" – A-t takes it, A-k keeps yours", " – A-t 採る A-k 残す") }
    }
    return text
  }
  func by(_ author: String, _ device: String, _ time: String) -> String {
    self("by \(author) on \(device), \(time)", "\(author)（\(device)）\(time)")
  }
  func noEditor(_ name: String) -> String {
    self(
      "The editor \(name) can't be started: set VISUAL or EDITOR.",
      "エディタ \(name) を起動できません。VISUAL か EDITOR を設定してください。")
  }
  func editorFailed(_ status: Int, _ path: String?) -> String {
    guard let path else {
      return self(
        "The editor ended with status \(status): nothing was taken over.",
        "エディタが状態 \(status) で終わりました。何も取り込んでいません。")
    }
    return self(
      "The editor ended with status \(status): nothing was taken over; its text is in \(path).",
      "エディタが状態 \(status) で終わりました。取り込まず、文は \(path) にあります。")
  }
  func unreadableEditorFile(_ path: String) -> String {
    self(
      "What the editor left in \(path) can't be read: it stays there.",
      "エディタが残した \(path) を読めません。そのままにしました。")
  }
  func noEditorFile(_ folder: String) -> String {
    self("No file can be written in \(folder).", "\(folder) にファイルを書けません。")
  }
  var notLongText: String {
    self("Only long text opens in your editor.", "長い文のフィールドだけがエディタで開けます。")
  }
  var nothingToUndo: String { self("There is nothing to undo.", "取り消すものはありません。") }
  var notChangedUnderneath: String {
    self("Nobody else changed this field.", "このフィールドは他で変わっていません。")
  }
  var noRelatedTypes: String {
    self("No other type refers to this one.", "これを参照する種類はありません。")
  }
  var onlyOneForm: String { self("There is only one form.", "フォームは一つだけです。") }
  var addRelated: String { self("Add a related record", "関連レコードを追加") }
  var attachTitle: String { self("Attach a file", "ファイルを添付") }
  var attachExplained: String { self("Its path; Tab completes.", "パス。Tab で補完します。") }
  var folderGoOn: String { self("This is a folder: type on.", "フォルダーです。続けてください。") }
  var noSuchFile: String { self("There is no such file.", "そのファイルはありません。") }

  // MARK: Comparing

  var saveConflictTitle: String { self("Save conflict", "保存の競合") }
  var saveConflictExplained: String {
    self(
      "Others saved the same fields while you typed. Nothing is written yet: choose for each.",
      "入力中に同じフィールドが保存されました。まだ何も書かれていません。選んでください。")
  }
  var before: String { self("before", "元の値") }
  var mine: String { self("mine", "自分") }
  var theirs: String { self("theirs", "相手") }
  var allChosen: String { self("All chosen: Ctrl-S saves.", "選び終えました。Ctrl-S で保存します。") }
  func choicesLeft(_ number: Int) -> String {
    self("\(count(number, "choice", "choices", "")) left", "残り \(number)")
  }
  var noConflictsAtAll: String { self("Nobody disagrees: there are no conflicts.", "競合はありません。") }
  var conflictExplained: String {
    self(
      "Writers disagree. The one marked ● is shown until you take one; none is lost.",
      "書き手の意見が分かれています。● が今の値です。選ぶまで何も失われません。")
  }
  func stamp(_ device: String, at time: String) -> String {
    self("\(device), \(time)", "\(device)、\(time)")
  }
  var thisDevice: String { self("this device", "この端末") }
  func device(_ name: String) -> String { self("device \(name)", "端末 \(name)") }
  func device(_ name: String, id: String) -> String { self("\(name) (\(id))", "\(name)（\(id)）") }
  func conflictOf(_ title: String) -> String { self("Conflict: \(title)", "競合: \(title)") }
  var about: String { self("About", "項目") }
  var between: String { self("Between", "端末") }
  var newest: String { self("Newest", "最新") }
  var takeASide: String { self("Take one of the two sides.", "どちらかの側を採ってください。") }
  var settle: String { self("Settle", "解決") }
  func settleQuestion(_ number: Int) -> String {
    self("Settle \(records(number)) as shown?", "\(number) 件を今の値で解決しますか？")
  }
  var settleExplained: String {
    self(
      "What is shown now stays, on every device, in one transaction, which one undo takes back.",
      "今の値がすべての端末で残ります。一つのトランザクションで、一度の取り消しで戻せます。")
  }
  func settledRecords(_ number: Int) -> String {
    self("\(records(number)) settled; u takes it back.", "\(number) 件を解決しました。u で戻します。")
  }
  var deleteOrKeep: String { self("Delete or keep", "削除か保持か") }
  var deletedSide: String { self("deleted", "削除") }
  var keptSide: String { self("edited, and kept", "編集して保持") }
  var settled: String { self("Settled; u takes it back.", "解決しました。u で戻します。") }
}
