// Importing tables: why a row was refused (clauses), progress and outcome.

package struct ImportWords: Sendable {
  let words: Words

  // MARK: Rows

  package func invalidText(column: Int) -> String {
    words(
      "column \(column) is not text in the file's encoding",
      "\(column) 列目がこの文字コードのテキストではありません")
  }
  package var unclosedQuote: String {
    words("a quotation mark is not closed before the file ends", "引用符が閉じられていません")
  }
  package func fieldTooLong(bytesMax: Int) -> String {
    words(
      "a value is longer than \(words.bytes(bytesMax))", "\(words.bytes(bytesMax))を超える値があります")
  }
  package func tooManyFields(max: Int) -> String {
    words("there are more than \(max) values", "値が \(max) 個を超えています")
  }
  package func overflow(_ values: Int) -> String {
    words(
      "\(values) \(values == 1 ? "value stands" : "values stand") behind the last column",
      "最後の列の後に値が \(values) 個あります")
  }
  package var notAnObject: String {
    words("an object of fields is expected", "フィールドのオブジェクトが必要です")
  }
  package func brokenJSON(column: Int, _ clause: String) -> String {
    words("\(clause) (column \(column))", "\(clause)（\(column) 桁）")
  }
  package func value(_ text: String, field: String, because clause: String) -> String {
    words(
      "'\(words.shortened(text))' does not fit '\(field)': \(clause)",
      "「\(words.shortened(text))」は「\(field)」に合いません: \(clause)")
  }
  package func unknownField(_ name: String) -> String {
    words("there is no field '\(name)'", "フィールド「\(name)」はありません")
  }
  package func identity(_ text: String) -> String {
    words(
      "'\(words.shortened(text))' is not the id of a record",
      "「\(words.shortened(text))」はレコードの ID ではありません")
  }
  package func takenIdentity(_ id: String) -> String {
    words(
      "the id \(id) belongs to another record, or to a purged one",
      "ID \(id) は別のレコードか、完全に削除されたレコードのものです")
  }
  package func noReference(_ title: String, field: String) -> String {
    words(
      "'\(field)': no record is called '\(words.shortened(title))'",
      "「\(field)」: 「\(words.shortened(title))」というレコードはありません")
  }
  package func severalReferences(_ title: String, field: String) -> String {
    words(
      "'\(field)': several records are called '\(words.shortened(title))'",
      "「\(field)」: 「\(words.shortened(title))」というレコードが複数あります")
  }
  package func zeroCharacter(field: String) -> String {
    words(
      "'\(field)' holds the character U+0000", "「\(field)」に U+0000 という文字があります")
  }

  /// One refused row: `line 12: …`.
  ///
  /// - Parameter element: Which of an array's elements it is, where several stand on the line.
  package func refused(line: Int, element: Int? = nil, _ clause: String) -> String {
    guard let element else { return words("line \(line): \(clause)", "\(line) 行: \(clause)") }
    return words(
      "line \(line), element \(element): \(clause)", "\(line) 行、\(element) 番目の要素: \(clause)")
  }
  package func moreRefused(_ rows: Int) -> String {
    words("and \(rows) more rows", "ほか \(rows) 行")
  }

  // MARK: Tables

  package var empty: String {
    words("Nothing was imported: the file has no rows.", "ファイルに行がないため、何も読み込んでいません。")
  }
  package func typeName(_ name: String) -> String {
    words(
      "'\(name)' can't be the name of a type: letters, digits and _ are taken, a letter first.",
      "「\(name)」は種類の名前にできません。英字で始まる英数字と _ だけです。")
  }
  package func unmapped(_ columns: [String], type: String, example: String) -> String {
    words(
      "\(type) has no field for \(words.list(columns)): name one with --map '\(example)=field', or "
        + "leave the column out with --map '\(example)='.",
      "\(type) に \(words.list(columns)) のフィールドがありません。--map '\(example)=field' で指定するか、"
        + "--map '\(example)=' で省いてください。")
  }
  package func noField(_ name: String, known: [String]) -> String {
    words(
      "There is no field '\(name)'. The fields: \(words.list(known)).",
      "フィールド「\(name)」はありません。あるもの: \(words.list(known))。")
  }
  package func noColumn(_ name: String, known: [String]) -> String {
    words(
      "The file has no column '\(name)'. Its columns: \(words.list(known)).",
      "ファイルに列「\(name)」はありません。あるもの: \(words.list(known))。")
  }
  package func unusableKey(_ name: String) -> String {
    words(
      "'\(name)' can't be a key: a key is a text, a number, a date or a reference.",
      "「\(name)」はキーにできません。キーは文字・数・日付・参照です。")
  }
  package var zeroBytes: String {
    words(
      "Nothing was imported: the file has NUL bytes, so it is no table of text.",
      "ファイルに NUL バイトがあり、テキストの表ではないため、何も読み込んでいません。")
  }
  package var compressed: String {
    words(
      "Nothing was imported: the file is compressed: gunzip it first.",
      "ファイルが圧縮されているため、何も読み込んでいません。先に gunzip してください。")
  }
  package func rowTooLong(line: Int, megabytesMax: Int) -> String {
    words(
      "Nothing was imported: the row that begins in line \(line) has no end within "
        + "\(megabytesMax) MB.",
      "\(line) 行目から始まる行が \(megabytesMax) MB 以内に終わらないため、何も読み込んでいません。")
  }
  package func tooManyColumns(_ columns: Int, max: Int) -> String {
    words(
      "Nothing was imported: the file has \(columns) columns, and a type has at most \(max) fields. "
        + "Leave columns out with --map column=.",
      "\(columns) 列ありますが、種類のフィールドは \(max) 個までのため、何も読み込んでいません。"
        + "--map column= で列を省いてください。")
  }
  /// - Parameter rows: How many were refused; none where there was nothing behind the header.
  package func tookNone(of rows: Int) -> String {
    guard rows > 0 else {
      return words(
        "Nothing was imported: the file has a header and no rows.",
        "見出しだけで行がないため、何も読み込んでいません。")
    }
    return words(
      "Nothing was imported: none of \(rows) rows could be taken.",
      "\(rows) 行のどれも読み込めませんでした。")
  }
  package func outcome(added: Int, updated: Int, unchanged: Int, refused: Int) -> String {
    words(
      "\(added) added, \(updated) updated, \(unchanged) unchanged, \(refused) refused",
      "追加 \(added) 件、更新 \(updated) 件、変更なし \(unchanged) 件、拒否 \(refused) 件")
  }
  package func unknownEncoding(_ name: String, known: [String]) -> String {
    words(
      "There is no encoding '\(name)'. The encodings: \(words.list(known)).",
      "文字コード「\(name)」はありません。使えるもの: \(words.list(known))。")
  }
  package func notAMapping(_ word: String) -> String {
    words("'\(word)' is not of the form column=field.", "「\(word)」は column=field の形ではありません。")
  }

  // MARK: Waiting

  /// - Parameter doing: What the other one does; nothing where it did not say.
  package func waiting(behind doing: String?) -> String {
    guard let doing else {
      return words(
        "Another skyros is writing to this library: waiting. Ctrl-C stops waiting.",
        "別の skyros がこのライブラリに書き込んでいるため、待っています。Ctrl-C で中止します。")
    }
    return words(
      "Another skyros is writing to this library (\(doing)): waiting. Ctrl-C stops waiting.",
      "別の skyros がこのライブラリに書き込んでいるため (\(doing))、待っています。Ctrl-C で中止します。")
  }

  // MARK: What the file was taken for

  package var commas: String { words("commas", "コンマ") }
  package var semicolons: String { words("semicolons", "セミコロン") }
  package var tabs: String { words("tabs", "タブ") }
  package var bars: String { words("bars", "縦線") }
  /// - Parameter separator: Nothing for JSON, whose name `form` is.
  package func readAs(_ encoding: String, form: String, separator: String?) -> String {
    guard let separator else {
      return words("Read as \(encoding), \(form)", "\(encoding) の \(form) として読みました")
    }
    return words(
      "Read as \(encoding), separated by \(separator)", "\(encoding)、\(separator)区切りとして読みました")
  }
  /// After ``readAs(_:form:separator:)``, on the command line.
  package func readOtherwise(canSeparate: Bool) -> String {
    canSeparate
      ? words(
        "; --encoding and --separator name others.", "。--encoding と --separator で変えられます。")
      : words("; --encoding names another.", "。--encoding で変えられます。")
  }
  package func unknownSeparator(_ text: String) -> String {
    words(
      "'\(words.shortened(text))' can't separate values: name one character, or tab.",
      "「\(words.shortened(text))」では区切れません。1 文字か tab を指定してください。")
  }

  // MARK: Progress

  package var examining: String { words("Examining", "調査中") }
  package var importing: String { words("Importing", "読み込み中") }
  package var trying: String { words("Trying", "試行中") }
  package func rows(_ rows: Int) -> String { words.count(rows, "row", "rows", "行") }
  package func progress(_ phase: String, percent: Int, rows: String) -> String {
    words("\(phase)  \(percent) %  \(rows) rows", "\(phase)  \(percent) %  \(rows) 行")
  }
  package func rate(_ rows: String, left time: String) -> String {
    words("\(rows) rows/s  \(time) left", "\(rows) 行/秒  残り \(time)")
  }
}

extension Words {
  /// Importing tables.
  package var importing: ImportWords { ImportWords(words: self) }
}
