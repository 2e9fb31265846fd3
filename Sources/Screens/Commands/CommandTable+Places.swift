// Default keys and words of history, trash, drafts, columns.

internal import Wording

extension CommandTable {
  static let places = [
    CommandEntry(
      "drafts.open", ["Enter", "e"], 12, .init("Open", "開く"),
      .init("Goes on editing the draft.", "下書きの編集を続けます。")),
    CommandEntry(
      "drafts.drop", ["d", "Del"], 10, .init("Discard", "破棄"),
      .init("Drops the draft after a question.", "確認して下書きを捨てます。")),

    CommandEntry(
      "columns.toggle", ["Space"], 12, .init("Show or hide", "表示切替"),
      .init("Shows the field as a column, or takes it away.", "列の表示を切り替えます。")),
    CommandEntry(
      "columns.up", ["K", "S-Up"], 10, .init("Further left", "左へ"),
      .init("Moves the column to the left.", "列を左に動かします。")),
    CommandEntry(
      "columns.down", ["J", "S-Down"], 10, .init("Further right", "右へ"),
      .init("Moves the column to the right.", "列を右に動かします。")),
    CommandEntry(
      "columns.narrower", ["<", "-"], 9, .init("Narrower", "狭く"),
      .init("Makes the column narrower.", "列を狭くします。")),
    CommandEntry(
      "columns.wider", [">", "+"], 9, .init("Wider", "広く"),
      .init("Makes the column wider.", "列を広くします。")),
    CommandEntry(
      "columns.reset", ["0"], 8, .init("Reset", "初期化"),
      .init("Back to the type's own columns and widths.", "列と幅を元に戻します。")),

    CommandEntry(
      "conflicts.open", ["Enter", "Right", "l"], 12, .init("Settle", "解決"),
      .init("Shows every side of the record's conflicts.", "競合の各側を見ます。")),

    CommandEntry(
      "history.expand", ["Enter", "Right", "l"], 12, .init("Details", "詳細"),
      .init(
        "Shows every record and field that the transaction touched.",
        "トランザクションの内容をすべて示します。")),
    CommandEntry(
      "history.undo", ["u"], 11, .init("Undo this", "これを取消"),
      .init(
        "Takes this transaction back, by a new one.",
        "このトランザクションを新しいトランザクションで取り消します。")),
    CommandEntry(
      "history.open", ["o"], 8, .init("Open record", "レコードを開く"),
      .init("Goes to the record that was changed.", "変更されたレコードを開きます。")),
    CommandEntry(
      "history.copy", ["y"], 4, .init("Copy", "コピー"),
      .init("Copies the transaction as text.", "トランザクションを文字として写します。")),

    CommandEntry(
      "history.out", ["Esc", "Left", "h", "q"], 3, .init("Back", "戻る"),
      .init("From the details to the list, then to the screen before.", "一覧へ、次に前の画面へ戻ります。")),

    CommandEntry(
      "picker.pick", ["Enter"], 12, .init("Choose", "選ぶ"),
      .init("Takes the record under the cursor, or all marked ones.", "カーソルか印のレコードを採ります。")),
    CommandEntry(
      "picker.mark", ["Tab"], 10, .init("Mark", "印"),
      .init("Picks the record too, or no longer.", "レコードに印を付けるか外します。")),

    CommandEntry(
      "trash.restore", ["r", "Enter"], 12, .init("Restore", "復元"),
      .init("Takes the record, or the marked ones, out of the trash.", "ゴミ箱から戻します。")),
    CommandEntry(
      "trash.purge", ["d", "Del"], 10, .init("Purge", "完全削除"),
      .init(
        "Removes the record, or the marked ones, for good, after a question.",
        "確認して完全に削除します。")),
    CommandEntry(
      "trash.mark", ["Space"], 8, .init("Mark", "印"),
      .init("Marks the record, or takes its mark away.", "印を付けるか外します。")),
    CommandEntry(
      "trash.open", ["o"], 6, .init("Look", "見る"),
      .init("Shows the record as it was.", "レコードを見ます。")),
  ]
}
