// Default keys and words of the desk, the browser and its panes.

internal import Wording

extension CommandTable {
  /// What works on every screen.
  static let desk = [
    CommandEntry(
      "desk.undo", ["u"], 3, .init("Undo", "元に戻す"),
      .init(
        "Takes back this device's newest transaction, by a new one.",
        "この端末の最後のトランザクションを、新しいトランザクションで取り消します。")),
    CommandEntry(
      "desk.redo", ["U"], .init("Redo", "やり直す"),
      .init(
        "Makes the transaction again that was undone last.", "最後に取り消したトランザクションをやり直します。")),
    CommandEntry(
      "desk.history", ["H"], 1, .init("Library history", "ライブラリの履歴"),
      .init(
        "All transactions, newest first, each of which can be undone.",
        "すべてのトランザクションを新しい順に示します。どれも取り消せます。")),
    CommandEntry(
      "desk.trash", ["T"], .init("Trash", "ゴミ箱"),
      .init("Deleted records, to be restored or purged.", "削除したレコードを復元・完全削除します。")),
    CommandEntry(
      "desk.import", ["I"], 2, .init("Import", "読み込み"),
      .init("Reads a CSV, TSV or JSON file into a record type.", "CSV・TSV・JSONを読み込みます。")),
    CommandEntry(
      "desk.model", ["M"], 1, .init("Edit model", "モデルを編集"),
      .init(
        "Adds, renames, reorders and drops fields, and makes record types.",
        "フィールドや種類を追加・変更します。")),
    CommandEntry(
      "desk.libraries", ["L"], .init("Libraries", "ライブラリ"),
      .init("Opens another library or makes a new one.", "別のライブラリを開くか新しく作ります。")),
    CommandEntry(
      "desk.appearance", ["A"], .init("Appearance", "外観"),
      .init("Edits the colours on a copy, with a live preview.", "配色を編集します。")),
    CommandEntry(
      "desk.conflicts", ["C"], .init("All conflicts", "すべての競合"),
      .init("Records whose writers disagree.", "書き手の意見が分かれたレコードです。")),
    CommandEntry(
      "desk.drafts", ["D"], .init("Recovered drafts", "回復した下書き"),
      .init("Edits that an earlier session left unsaved.", "保存されなかった編集を開きます。")),
    CommandEntry(
      "desk.stop", ["C-c"], 13, .init("Stop", "中断"),
      .init(
        "Stops what is under way: it takes back what it did.", "実行中の作業をやめ、途中までの変更を戻します。")),
    CommandEntry(
      "desk.quit", ["q"], 1, .init("Quit", "終了"),
      .init(
        "Leaves the program; asks only when something would be dropped.",
        "終了します。失われるものがある時だけ確認します。")),
    CommandEntry(
      "desk.back", ["Esc", "q"], 1, .init("Back", "戻る"),
      .init("Goes back to the screen before.", "前の画面に戻ります。")),
  ]

  static let browser = [
    CommandEntry(
      "browser.left", ["Left", "h"], .init("Pane on the left", "左のペイン"),
      .init("Moves to the pane on the left.", "左のペインに移ります。")),
    CommandEntry(
      "browser.right", ["Enter", "Right", "l"], 12, .init("Open", "開く"),
      .init("Goes to the records, or opens the screen.", "レコードの一覧か画面を開きます。")),
    CommandEntry(
      "typing.keep", ["Enter"], 12, .init("Keep", "確定"),
      .init("Goes into the list, narrowed as it is.", "絞り込んだ一覧に移ります。")),
    CommandEntry(
      "typing.drop", ["Esc"], 11, .init("Show all", "すべて表示"),
      .init("Drops what was typed and shows everything again.", "入力を消してすべて表示します。")),
    CommandEntry(
      "views.drop", ["d", "Del"], 4, .init("Drop view", "ビューを消す"),
      .init("Drops the saved view; its records stay.", "保存したビューを消します。レコードは残ります。")),
    CommandEntry(
      "browser.next", ["Tab"], 8, .init("Panes", "ペイン"),
      .init(
        "Moves to the next pane: types, records, record.", "次のペイン（種類・一覧・レコード）に移ります。")),
    CommandEntry(
      "browser.previous", ["S-Tab"], .init("Previous pane", "前のペイン"),
      .init("Moves to the pane before.", "前のペインに移ります。")),
    CommandEntry(
      "browser.zoom", ["z"], .init("Zoom", "拡大"),
      .init("Gives the pane the whole screen, or takes it back.", "ペインを画面全体に広げます。")),
    CommandEntry(
      "browser.out", ["Esc"], .init("Out", "外へ"),
      .init(
        "Takes marks, search and filter away, then moves to the left; never quits.",
        "印・検索・絞り込みを外し、左に移ります。終了はしません。")),
  ]

  /// Commands of the list pane.
  static let records = [
    CommandEntry(
      "records.open", ["Enter", "Right", "l"], 12, .init("Open", "開く"),
      .init("Goes into the record.", "レコードを開きます。")),
    CommandEntry(
      "records.edit", ["e"], 11, .init("Edit", "編集"),
      .init(
        "Edits the record, or all marked ones in one form, on a detached copy.",
        "レコードを写しの上で編集します。印を付けたものはまとめて編集します。")),
    CommandEntry(
      "records.add", ["a"], 10, .init("New", "新規"),
      .init("Begins a new record.", "新しいレコードを作ります。")),
    CommandEntry(
      "records.search", ["/"], 9, .init("Search", "検索"),
      .init("Narrows the list as you type; Enter keeps it, Esc drops it.", "打つそばから検索します。")),
    CommandEntry(
      "records.filter", ["f"], 8, .init("Filter", "絞り込み"),
      .init(
        "Narrows by conditions: country=JP population>1000000 -visited.",
        "条件で絞り込みます: country=JP population>1000000 -visited")),
    CommandEntry(
      "records.sort", ["s"], 7, .init("Sort", "並べ替え"),
      .init("Chooses the column to sort by, and the direction.", "並べ替える列と向きを選びます。")),
    CommandEntry(
      "records.delete", ["d", "Del"], 5, .init("Delete", "削除"),
      .init("Moves the record, or the marked ones, to the trash.", "ゴミ箱に移します。")),
    CommandEntry(
      "records.mark", ["Space"], 6, .init("Mark", "印"),
      .init("Marks the record, or takes its mark away.", "レコードに印を付けるか外します。")),
    CommandEntry(
      "records.markRange", ["v"], .init("Mark range", "範囲に印"),
      .init("Marks everything from the last marked record to this one.", "最後の印からここまで印を付けます。")),
    CommandEntry(
      "records.markAll", ["*"], .init("Mark all", "すべてに印"),
      .init("Marks all records of the list.", "一覧のすべてに印を付けます。")),
    CommandEntry(
      "records.invert", ["^"], .init("Invert marks", "印を反転"),
      .init("Marks what is not marked, and the other way round.", "印を反転します。")),
    CommandEntry(
      "records.copy", ["y"], 2, .init("Copy", "コピー"),
      .init(
        "Copies the title, or the marked rows, to your clipboard, also over ssh.",
        "題名か印の付いた行をクリップボードに写します。")),
    CommandEntry(
      "records.group", ["b"], 1, .init("Group", "グループ"),
      .init("Groups the list under headings by the values of a field.", "フィールドの値ごとに見出しを付けます。")),
    CommandEntry(
      "records.saveView", ["w"], 1, .init("Save view", "ビューを保存"),
      .init(
        "Keeps filter, search, order, columns and groups under a name.",
        "絞り込み・並び・列・グループを名前を付けて残します。")),
    CommandEntry(
      "records.views", ["W"], .init("Views", "ビュー"),
      .init("Goes to a saved view; they stand below their types, too.", "保存したビューを開きます。")),
    CommandEntry(
      "records.columnsRight", [">"], .init("Columns further right", "右の列"),
      .init("Shows the columns that did not fit; the title stays.", "入りきらない列を見ます。題名は残ります。")),
    CommandEntry(
      "records.columnsLeft", ["<"], .init("Columns further left", "左の列"),
      .init("Goes back to the columns further left.", "左の列に戻ります。")),
    CommandEntry(
      "records.columns", ["c"], 2, .init("Columns", "列"),
      .init("Chooses, moves and resizes the columns.", "列を選び、動かし、幅を変えます。")),
    CommandEntry(
      "records.refresh", ["R"], .init("Refresh", "更新"),
      .init("Shows a pinned list as it is now.", "固定した一覧を今の状態にします。")),
    CommandEntry(
      "records.follow", ["F"], .init("Pin or follow", "固定・追従"),
      .init("Holds the list as it is, or lets it follow changes again.", "一覧を固定するか、変更に追従させます。")),
    CommandEntry(
      "records.history", ["t"], 1, .init("Record history", "レコードの履歴"),
      .init("Who changed this record, when and how.", "このレコードの変更の履歴です。")),
    CommandEntry(
      "records.export", ["X"], 1, .init("Export", "書き出し"),
      .init("Writes the list, or the marked records, to a file.", "一覧か印の付いたものをファイルに書きます。")),
  ]

  /// Commands of the record pane and the record's own screen.
  static let record = [
    CommandEntry(
      "record.down", ["Down", "j"], .init("Down", "下"),
      .init("To the next field.", "次のフィールドへ。")),
    CommandEntry(
      "record.up", ["Up", "k"], .init("Up", "上"),
      .init("To the field before.", "前のフィールドへ。")),
    CommandEntry(
      "record.pageDown", ["PgDn", "C-f"], .init("Page down", "次のページ"),
      .init("A page down.", "1ページ下へ。")),
    CommandEntry(
      "record.pageUp", ["PgUp", "C-b"], .init("Page up", "前のページ"),
      .init("A page up.", "1ページ上へ。")),
    CommandEntry(
      "record.first", ["Home", "g g"], .init("First field", "最初"),
      .init("To the first field.", "最初のフィールドへ。")),
    CommandEntry(
      "record.last", ["End", "G"], .init("Last field", "最後"),
      .init("To the last field.", "最後のフィールドへ。")),
    CommandEntry(
      "record.open", ["Enter"], 12, .init("Open", "開く"),
      .init("Follows the reference under the cursor; edits any other field.", "参照を辿るか、フィールドを編集します。")
    ),
    CommandEntry(
      "record.edit", ["e"], 11, .init("Edit", "編集"),
      .init("Edits the record on a detached copy, from this field on.", "このフィールドから編集します。")),
    CommandEntry(
      "record.copy", ["y"], 6, .init("Copy", "コピー"),
      .init("Copies the field's text to your clipboard, also over ssh.", "フィールドをクリップボードに写します。")),
    CommandEntry(
      "record.copyAll", ["Y"], .init("Copy record", "すべてコピー"),
      .init("Copies all fields as text.", "すべてのフィールドを写します。")),
    CommandEntry(
      "record.inspect", ["i"], .init("Inspect", "文字を調べる"),
      .init(
        "Lists the characters of the field by code point and name.",
        "フィールドの文字をコードポイントと名前で示します。")),
    CommandEntry(
      "record.saveAttachment", ["o"], 3, .init("Save file", "ファイルに保存"),
      .init("Writes the attached file to a path of yours.", "添付ファイルを書き出します。")),
    CommandEntry(
      "record.history", ["t"], 8, .init("History", "履歴"),
      .init("Who changed this record, when and how.", "このレコードの変更の履歴です。")),
    CommandEntry(
      "record.conflicts", ["c"], 4, .init("Conflicts", "競合"),
      .init("Every side of what writers disagree about, to choose from.", "競合の各側を見て選びます。")),
    CommandEntry(
      "record.delete", ["d", "Del"], 5, .init("Delete", "削除"),
      .init("Moves the record to the trash.", "ゴミ箱に移します。")),
    CommandEntry(
      "record.restore", ["r"], .init("Restore", "復元"),
      .init("Takes the record out of the trash.", "ゴミ箱から戻します。")),
    CommandEntry(
      "record.leave", ["Left", "h"], .init("Back", "戻る"),
      .init("Goes back to where the reference was followed.", "辿る前に戻ります。")),
  ]
}
