// Default keys and words of appearance, libraries and the model editor.

internal import Wording

extension CommandTable {
  static let tools = [
    CommandEntry(
      "appearance.next", ["Right", "l"], 8, .init("Next colour", "次の色"),
      .init("Steps through the foregrounds.", "文字色を順に変えます。")),
    CommandEntry(
      "appearance.previous", ["Left", "h"], .init("Colour before", "前の色"),
      .init("Steps back through the foregrounds.", "文字色を逆順に変えます。")),
    CommandEntry(
      "appearance.foreground", ["f"], 10, .init("Foreground", "文字色"),
      .init("A colour by its name, number or #rrggbb.", "色を名前・番号・#rrggbb で指定します。")),
    CommandEntry(
      "appearance.background", ["b"], 10, .init("Background", "背景色"),
      .init("A colour by its name, number or #rrggbb.", "色を名前・番号・#rrggbb で指定します。")),
    CommandEntry(
      "appearance.emphasis", ["Space"], 9, .init("Emphasis", "強調"),
      .init("Bold, underline and so on.", "太字や下線など。")),
    CommandEntry(
      "appearance.revert", ["z"], 6, .init("Revert", "戻す"),
      .init("The look that is saved.", "保存されている見た目に戻します。")),
    CommandEntry(
      "appearance.base", ["p"], 6, .init("Palette", "配色"),
      .init("Starts from one of the palettes that come along.", "付属の配色から始めます。")),
    CommandEntry(
      "appearance.undo", ["u"], 5, .init("Undo", "元に戻す"),
      .init("Takes the last change back.", "最後の変更を取り消します。")),
    CommandEntry(
      "appearance.redo", ["U"], 4, .init("Redo", "やり直す"),
      .init("Makes it again.", "やり直します。")),
    CommandEntry(
      "appearance.save", ["C-s"], 12, .init("Save", "保存"),
      .init("Keeps the colours.", "配色を保存します。")),
    CommandEntry(
      "appearance.cancel", ["Esc", "q"], 11, .init("Cancel", "やめる"),
      .init("Back to the colours as they were.", "元の配色に戻ります。")),

    CommandEntry(
      "import.run", ["C-s"], 12, .init("Import", "読み込む"),
      .init(
        "Imports in one transaction, which one undo takes back.",
        "一つのトランザクションで読み込みます。一度の取り消しで戻せます。")),
    CommandEntry(
      "import.try", ["t"], 10, .init("Try", "試す"),
      .init("Does everything and takes it back: what would be refused.", "書き込まずに試します。")),
    CommandEntry(
      "import.field", ["Enter", "f"], 10, .init("Field", "フィールド"),
      .init("Chooses the field that the column goes into.", "列の行き先を選びます。")),
    CommandEntry(
      "import.type", ["n"], 8, .init("Type", "種類"),
      .init("The record type that the rows go into.", "行を入れる種類を決めます。")),
    CommandEntry(
      "import.key", ["K"], 8, .init("Key", "キー"),
      .init("The field by which rows find the record to update.", "更新するレコードを探すフィールドです。")),
    CommandEntry(
      "import.encoding", ["c"], 4, .init("Encoding", "文字コード"),
      .init("How the file's text is encoded.", "ファイルの文字コードです。")),
    CommandEntry(
      "import.separator", ["s"], 3, .init("Separator", "区切り"),
      .init("What stands between the values of a row.", "値の間の区切りです。")),
    CommandEntry(
      "import.leaveOut", ["x"], 7, .init("Leave out", "省く"),
      .init("Leaves out all columns that have no field.", "行き先のない列を省きます。")),
    CommandEntry(
      "import.undo", ["u"], 11, .init("Undo", "元に戻す"),
      .init("Takes the import back.", "読み込みを取り消します。")),
    CommandEntry(
      "import.cancel", ["Esc", "q"], 9, .init("Close", "閉じる"),
      .init("Ends a running import without a trace, or leaves.", "実行を止めるか、閉じます。")),

    CommandEntry(
      "libraries.open", ["Enter"], 12, .init("Open", "開く"),
      .init("Opens the library in the place of this one.", "このライブラリを開きます。")),
    CommandEntry(
      "libraries.path", ["o"], 10, .init("Open a path", "パスを開く"),
      .init("Opens a library that is not in the list.", "一覧にないライブラリを開きます。")),
    CommandEntry(
      "libraries.new", ["n", "a"], 10, .init("New", "新規"),
      .init("Makes a library from a template.", "ひな形からライブラリを作ります。")),
    CommandEntry(
      "libraries.forget", ["d", "Del"], 6, .init("Forget", "忘れる"),
      .init("Takes it off the list; its files stay as they are.", "一覧から外します。ファイルは残ります。")),

    CommandEntry(
      "model.next", ["Tab", "Right", "l"], 2, .init("Fields", "フィールド"),
      .init("Between the types and their fields.", "種類とフィールドを行き来します。")),
    CommandEntry(
      "model.previous", ["S-Tab", "Left", "h"], .init("Types", "種類"),
      .init("Between the types and their fields.", "種類とフィールドを行き来します。")),
    CommandEntry(
      "model.add", ["a"], 11, .init("Add", "追加"),
      .init("Adds a field, or a type when the types have the focus.", "フィールドか種類を追加します。")),
    CommandEntry(
      "model.rename", ["n", "e", "Enter"], 10, .init("Rename", "改名"),
      .init("Gives it another name; its records stay.", "名前を変えます。レコードはそのままです。")),
    CommandEntry(
      "model.label", ["b"], 4, .init("Label", "表示名"),
      .init("What people read, in any wording.", "表示される名前を付けます。")),
    CommandEntry(
      "model.retype", ["t"], 9, .init("Field type", "型"),
      .init("Gives the field another type, filled from the old one.", "フィールドの型を変え、値を移します。")),
    CommandEntry(
      "model.rules", ["r", "Space"], 8, .init("Rules", "規則"),
      .init("Required, unique, searched, indexed; title and columns.", "必須・一意・検索・索引・題名・列。")),
    CommandEntry(
      "model.up", ["K", "S-Up"], 6, .init("Further up", "上へ"),
      .init("Moves it up.", "上に動かします。")),
    CommandEntry(
      "model.down", ["J", "S-Down"], 6, .init("Further down", "下へ"),
      .init("Moves it down.", "下に動かします。")),
    CommandEntry(
      "model.drop", ["d", "Del"], 7, .init("Drop or revive", "廃止・復活"),
      .init(
        "Hides it, with its values kept until they are purged; once more brings it back.",
        "隠すか元に戻します。値は残ります。")),
    CommandEntry(
      "model.undo", ["u"], 5, .init("Undo", "元に戻す"),
      .init("Takes the last change of the model back.", "最後の変更を取り消します。")),
    CommandEntry(
      "model.redo", ["U"], 4, .init("Redo", "やり直す"),
      .init("Makes it again.", "やり直します。")),
    CommandEntry(
      "model.apply", ["C-s"], 12, .init("Apply", "適用"),
      .init("Shows what would happen, then changes the library.", "予測を示してから適用します。")),
    CommandEntry(
      "model.cancel", ["Esc", "q"], 11, .init("Cancel", "やめる"),
      .init("Leaves the model as it is; asks when something would be dropped.", "モデルを変えずに戻ります。")),
  ]
}
