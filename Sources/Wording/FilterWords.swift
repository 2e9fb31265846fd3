// What is wrong with a filter: clauses.

package struct FilterWords: Sendable {
  let words: Words

  package func unknownField(_ name: String, known: [String]) -> String {
    words(
      "there is no field '\(name)' (the fields: \(words.list(known)))",
      "「\(name)」というフィールドはありません（あるもの: \(words.list(known))）")
  }
  package func missingValue(after sign: String) -> String {
    words("a value is expected after '\(sign)'", "「\(sign)」の後に値が必要です")
  }
  package func badValue(_ text: String, field: String, because clause: String) -> String {
    words(
      "'\(words.shortened(text))' does not fit '\(field)', \(clause)",
      "「\(words.shortened(text))」は「\(field)」に合いません、\(clause)")
  }
  package func operatorDoesNotFit(
    _ sign: String, field: String, type: String, fitting: [String]
  ) -> String {
    words(
      "'\(sign)' has no meaning for '\(field)', which is \(type) and takes \(words.list(fitting))",
      "「\(field)」(\(type)) に「\(sign)」は使えません（使えるもの: \(words.list(fitting))）")
  }
  package func missingField(before sign: String) -> String {
    words("a field is expected before '\(sign)'", "「\(sign)」の前にフィールドが必要です")
  }
  package var unclosedQuote: String {
    words("the quotation mark is not closed", "引用符が閉じていません")
  }
  package var unclosedGroup: String { words("the parenthesis is not closed", "括弧が閉じていません") }
  package var unexpectedClose: String {
    words("the parenthesis closes nothing", "括弧が余分に閉じています")
  }
  package var missingTerm: String { words("a condition is expected", "条件が必要です") }
  package var emptyRange: String {
    words("the range ends before it begins", "範囲の終わりが始まりより前です")
  }
  package func tooLong(bytesMax: Int) -> String {
    words("it is longer than \(words.bytes(bytesMax))", "\(words.bytes(bytesMax))より長くできません")
  }
  package func tooDeep(max: Int) -> String {
    words("its groups are deeper than \(max)", "入れ子は \(max) 段までです")
  }
  package func tooMany(max: Int) -> String {
    words("it has more than \(max) conditions", "条件は \(max) 個までです")
  }

  /// The whole sentence, with its place.
  ///
  /// - Parameter character: From 1.
  package func mistake(in filter: String, at character: Int, _ clause: String) -> String {
    words(
      "The filter '\(words.shortened(filter))' has a mistake at character \(character): \(clause).",
      "絞り込み「\(words.shortened(filter))」の \(character) 文字目に誤りがあります: \(clause)。")
  }
}

/// What is wrong with a text in JSON: clauses.
package struct JSONWords: Sendable {
  let words: Words

  package var value: String { words("a value is expected", "値が必要です") }
  package var name: String {
    words("a name in quotation marks is expected", "引用符で囲んだ名前が必要です")
  }
  package var colon: String { words("a colon is expected", "コロンが必要です") }
  package func comma(or bracket: String) -> String {
    words("a comma or \(bracket) is expected", "コンマか \(bracket) が必要です")
  }
  package var number: String { words("a number can't be read", "数が読めません") }
  package var escape: String { words("an escape can't be read", "エスケープが読めません") }
  package var end: String { words("nothing more is expected", "ここで終わるはずです") }
  package var unclosedString: String { words("the string is not closed", "文字列が閉じていません") }
  package var controlCharacter: String {
    words("a control character has to be escaped", "制御文字はエスケープしてください")
  }
  package var invalidUTF8: String { words("this is not UTF-8", "UTF-8 ではありません") }
  package func tooDeep(max: Int) -> String {
    words("it is nested more than \(max) deep", "入れ子は \(max) 段までです")
  }

  /// The whole sentence, with its place.
  package func mistake(line: Int, column: Int, _ clause: String) -> String {
    words(
      "The JSON can't be read at line \(line), column \(column): \(clause).",
      "JSON の \(line) 行 \(column) 桁が読めません: \(clause)。")
  }
  package var notAnObject: String {
    words(
      "The JSON must be an object of fields, like {\"name\": \"Porto\"}.",
      "JSON は {\"name\": \"Porto\"} のようなフィールドのオブジェクトにしてください。")
  }
}

extension Words {
  /// What is wrong with a filter.
  package var filterMistake: FilterWords { FilterWords(words: self) }
  /// What is wrong with a text in JSON.
  package var jsonMistake: JSONWords { JSONWords(words: self) }
}
