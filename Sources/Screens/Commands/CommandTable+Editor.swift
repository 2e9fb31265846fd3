// Default keys and words of the form and of the comparisons.

internal import Wording

extension CommandTable {
  static let editor = [
    CommandEntry(
      "editor.save", ["C-s"], 12, .init("Save", "保存"),
      .init(
        "Saves everything in the form in one transaction.", "フォームのすべてを一つのトランザクションで保存します。")),
    CommandEntry(
      "editor.cancel", ["Esc"], 11, .init("Cancel", "やめる"),
      .init(
        "Leaves the form; asks only when something would be dropped.",
        "フォームを閉じます。失われるものがある時だけ確認します。")),
    CommandEntry(
      "editor.undo", ["A-u", "C-_"], 6, .init("Undo", "元に戻す"),
      .init("Takes the last typing back, in whichever field it was.", "最後の入力を取り消します。")),
    CommandEntry(
      "editor.redo", ["A-r"], 5, .init("Redo", "やり直す"),
      .init("Types again what was undone.", "取り消した入力をやり直します。")),
    CommandEntry(
      "editor.external", ["C-e"], 7, .init("$EDITOR", "$EDITOR"),
      .init("Edits a long text in your own editor.", "長い文を自分のエディタで編集します。")),
    CommandEntry(
      "editor.revert", ["A-z"], 4, .init("Revert", "戻す"),
      .init("Puts the field back to what the record says.", "フィールドを元の値に戻します。")),
    CommandEntry(
      "editor.clear", ["A-d"], .init("Clear field", "消去"),
      .init("Empties the field.", "フィールドを空にします。")),
    CommandEntry(
      "editor.takeTheirs", ["A-t"], 8, .init("Take theirs", "相手の値"),
      .init("Takes what others saved in this field meanwhile.", "他で保存された値を採ります。")),
    CommandEntry(
      "editor.keepMine", ["A-k"], 8, .init("Keep mine", "自分の値"),
      .init("Keeps what stands here, knowing that others changed it.", "ここにある値を残します。")),
    CommandEntry(
      "editor.addRelated", ["A-a"], .init("Add related", "関連を追加"),
      .init(
        "Begins a record that refers to this one, saved in the same transaction.",
        "これを参照するレコードを追加し、一緒に保存します。")),
    CommandEntry(
      "editor.nextForm", ["A-n"], .init("Next form", "次のフォーム"),
      .init("Goes to the form of the next related record.", "次の関連レコードのフォームへ。")),

    CommandEntry(
      "compare.down", ["Down", "j", "Tab"], .init("Next field", "次"),
      .init("To the next field.", "次のフィールドへ。")),
    CommandEntry(
      "compare.up", ["Up", "k", "S-Tab"], .init("Field before", "前"),
      .init("To the field before.", "前のフィールドへ。")),
    CommandEntry(
      "compare.left", ["Left", "h"], .init("Side on the left", "左の側"),
      .init("To the side on the left.", "左の側へ。")),
    CommandEntry(
      "compare.right", ["Right", "l"], .init("Side on the right", "右の側"),
      .init("To the side on the right.", "右の側へ。")),
    CommandEntry(
      "compare.choose", ["Enter", "Space"], 12, .init("Choose", "選ぶ"),
      .init("Chooses the side under the cursor.", "カーソルの側を選びます。")),
    CommandEntry(
      "compare.take", ["Enter"], 12, .init("Take", "採る"),
      .init("Saves the side under the cursor; it settles everywhere.", "カーソルの側を保存し、どこでも解決します。")),
    CommandEntry(
      "compare.mine", ["m"], 10, .init("Mine", "自分"),
      .init("Chooses what I typed.", "自分の値を選びます。")),
    CommandEntry(
      "compare.theirs", ["t"], 10, .init("Theirs", "相手"),
      .init("Chooses what the others saved.", "相手の値を選びます。")),
    CommandEntry(
      "compare.allMine", ["M"], .init("All mine", "すべて自分"),
      .init("Chooses what I typed in all fields.", "すべて自分の値を選びます。")),
    CommandEntry(
      "compare.allTheirs", ["T"], .init("All theirs", "すべて相手"),
      .init("Chooses what the others saved in all fields.", "すべて相手の値を選びます。")),
    CommandEntry(
      "compare.save", ["C-s"], 11, .init("Save", "保存"),
      .init("Saves with the choices made.", "選んだ値で保存します。")),
  ]
}
