// Importing tables: why a row was refused (clauses), progress and outcome.

package struct ImportWords: Sendable {
  let words: Words

  package func invalidText(column: Int) -> String {
    words(
      "column \(column) has bytes that are no text in the file's encoding",
      "\(column) 列目に、この文字コードで読めないバイトがあります")
  }
  package var unclosedQuote: String {
    words("a quotation mark is opened and never closed", "引用符が閉じられていません")
  }
  package func fieldTooLong(bytesMax: Int) -> String {
    words(
      "a field is longer than \(words.bytes(bytesMax))", "\(words.bytes(bytesMax))を超える欄があります")
  }
  package func tooManyFields(max: Int) -> String {
    words("there are more than \(max) fields", "欄が \(max) 個を超えています")
  }
  package func overflow(columns: Int) -> String {
    words(
      "there are more fields than the header's \(columns)", "欄が見出しの \(columns) 個より多くあります")
  }
  package var notAnObject: String { words("this is not an object of fields", "オブジェクトではありません") }
  package func brokenJSON(line: Int, column: Int, _ clause: String) -> String {
    words(
      "line \(line), column \(column): \(clause)", "\(line) 行 \(column) 桁: \(clause)")
  }
  package func value(_ text: String, field: String, because clause: String) -> String {
    words(
      "'\(words.shortened(text))' does not fit '\(field)': \(clause)",
      "「\(words.shortened(text))」は「\(field)」に合いません: \(clause)")
  }
  package var noKey: String { words("the key is empty", "キーが空です") }
  package func sameKey(line: Int) -> String {
    words("the key is the same as in line \(line)", "キーが \(line) 行目と同じです")
  }

  /// One refused row: `line 12: …`.
  package func refused(line: Int, _ clause: String) -> String {
    words("line \(line): \(clause)", "\(line) 行: \(clause)")
  }
  package func progress(rows: Int, perSecond: Int, secondsLeft: Int?) -> String {
    let left = secondsLeft.map { words(", \($0) s left", "、残り \($0) 秒") } ?? ""
    return words(
      "\(rows) rows, \(perSecond) a second\(left)", "\(rows) 行、毎秒 \(perSecond) 行\(left)")
  }
  package func outcome(added: Int, updated: Int, unchanged: Int, refused: Int) -> String {
    words(
      "\(added) added, \(updated) updated, \(unchanged) unchanged, \(refused) refused.",
      "追加 \(added) 件、更新 \(updated) 件、変更なし \(unchanged) 件、拒否 \(refused) 件。")
  }
  package var nothing: String {
    words("Nothing was imported: no row could be taken.", "読み込める行がありませんでした。")
  }
  package func unknownEncoding(_ name: String, known: [String]) -> String {
    words(
      "There is no encoding '\(name)'. Known are \(words.list(known)).",
      "文字コード「\(name)」はありません。使えるもの: \(words.list(known))。")
  }
}

extension Words {
  /// Importing tables.
  package var importing: ImportWords { ImportWords(words: self) }
}
