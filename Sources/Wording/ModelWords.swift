// What is wrong with a model file: clauses. And what a changed model will do: the forecast.

package struct ModelWords: Sendable {
  let words: Words

  package func unreadable(_ reason: String) -> String {
    words("this is not YAML: \(reason)", "YAML として読めません: \(reason)")
  }
  package func tooLarge(bytesMax: Int) -> String {
    words("the file is larger than \(words.bytes(bytesMax))", "ファイルは \(words.bytes(bytesMax))までです")
  }
  package var tooDeep: String { words("this is nested too deeply", "入れ子が深すぎます") }
  package var alias: String {
    words("aliases (*name) have no use here", "エイリアス (*名前) は使えません")
  }
  package func duplicate(_ key: String) -> String {
    words("'\(key)' is there twice", "「\(key)」が二度あります")
  }
  package func unknownKey(_ key: String, known: [String]) -> String {
    words(
      "there is no key '\(key)'; the keys here: \(words.list(known))",
      "「\(key)」というキーはありません。使えるもの: \(words.list(known))")
  }
  package func missingKey(_ key: String) -> String {
    words("'\(key)' is missing", "「\(key)」がありません")
  }
  package var mapping: String {
    words("a mapping (key: value) is expected", "キー: 値 の形が必要です")
  }
  package var list: String { words("a list is expected", "一覧が必要です") }
  package var text: String { words("a text is expected", "文字列が必要です") }
  package var boolean: String { words("true or false is expected", "true か false が必要です") }
  package var wholeNumber: String { words("a whole number is expected", "整数が必要です") }
  package func badName(_ name: String) -> String {
    words(
      "'\(name)' can't be a name: letters, digits and _ are taken, a letter first (label: gives any "
        + "other wording)",
      "「\(name)」は名前にできません。英字で始まる英数字と _ だけです（他の表記は label: に書けます）")
  }
  package func sameName(_ name: String, as other: String) -> String {
    words(
      "'\(name)' and '\(other)' are the same name but for capital letters",
      "「\(name)」と「\(other)」は大文字小文字しか違いません")
  }
  package func unknownWord(_ word: String, known: [String]) -> String {
    words(
      "'\(word)' is not known; known are \(words.list(known))",
      "「\(word)」は使えません。使えるもの: \(words.list(known))")
  }
  package func unknownType(_ name: String) -> String {
    words("there is no type '\(name)'", "「\(name)」という種類はありません")
  }
  package func unknownField(_ name: String) -> String {
    words("there is no field '\(name)'", "「\(name)」というフィールドはありません")
  }
  package func wasUnknown(_ name: String) -> String {
    words(
      "was: '\(name)' is not in the library's model", "was: の「\(name)」は今のモデルにありません")
  }
  package func badValue(_ text: String, because clause: String) -> String {
    words(
      "'\(words.shortened(text))' does not fit: \(clause)",
      "「\(words.shortened(text))」は合いません: \(clause)")
  }
  package func badPattern(_ pattern: String) -> String {
    words(
      "'\(words.shortened(pattern))' is not a regular expression",
      "「\(words.shortened(pattern))」は正規表現ではありません")
  }
  package func doesNotFit(key: String, type: String) -> String {
    words("'\(key)' has no meaning for \(type)", "\(type) に「\(key)」は使えません")
  }
  package var emptyRange: String { words("min is above max", "min が max より大きいです") }
  package func version(_ version: String, known: Int) -> String {
    words(
      "this is version '\(version)' of the model file; this Skyros reads version \(known)",
      "モデルファイルのバージョンが「\(version)」です。この Skyros が読めるのは \(known) です")
  }
  package func tooMany(max: Int) -> String {
    words("there are more than \(max)", "\(max) 個までです")
  }

  /// `line 4, column 7 (types.Place): there is no key 'titel'`.
  package func mistake(line: Int, column: Int, path: [String], _ clause: String) -> String {
    let place = path.isEmpty ? "" : " (\(path.joined(separator: ".")))"
    return words(
      "line \(line), column \(column)\(place): \(clause)",
      "\(line) 行 \(column) 桁\(place): \(clause)")
  }
  package func unusable(file: String, _ mistakes: [String]) -> String {
    words(
      "The model in '\(file)' can't be used: \(mistakes.joined(separator: "; ")).",
      "「\(file)」のモデルは使えません: \(mistakes.joined(separator: "; "))。")
  }
}

/// The steps of a migration, as its forecast tells them.
package struct ForecastWords: Sendable {
  let words: Words

  package func addType(_ type: String) -> String {
    words("add the type \(type)", "種類 \(type) を追加")
  }
  package func dropType(_ type: String) -> String {
    words("hide the type \(type)", "種類 \(type) を隠す")
  }
  package func reviveType(_ type: String) -> String {
    words("show the type \(type) again", "種類 \(type) を再び表示")
  }
  package func rename(_ old: String, to new: String) -> String {
    words("rename \(old) to \(new)", "\(old) を \(new) に改名")
  }
  package func rearrange(_ type: String) -> String {
    words("arrange \(type) anew", "\(type) の並びを変更")
  }
  package func changeKey(_ type: String) -> String {
    words("change the natural key of \(type)", "\(type) の自然キーを変更")
  }
  package func addField(_ field: String) -> String {
    words("add the field \(field)", "フィールド \(field) を追加")
  }
  package func dropField(_ field: String) -> String {
    words("hide the field \(field)", "フィールド \(field) を隠す")
  }
  package func reviveField(_ field: String) -> String {
    words("show the field \(field) again", "フィールド \(field) を再び表示")
  }
  package func replaceField(_ field: String, from old: String, to new: String) -> String {
    words(
      "make \(field) \(new) and fill it from \(old)", "\(field) を \(new) にし、\(old) から埋める")
  }
  package func changeChoices(_ field: String, removed: [String]) -> String {
    guard !removed.isEmpty else {
      return words("change the choices of \(field)", "\(field) の選択肢を変更")
    }
    return words(
      "take \(words.list(removed)) from the choices of \(field)",
      "\(field) の選択肢から \(words.list(removed)) を除く")
  }
  package func changeConstraints(_ field: String) -> String {
    words("change what \(field) may hold", "\(field) の制約を変更")
  }
  package func changeIndex(_ field: String) -> String {
    words("change the index of \(field)", "\(field) の索引を変更")
  }
  package func changeSearch(_ field: String) -> String {
    words("change whether search finds \(field)", "\(field) を検索対象にするかを変更")
  }
  package func changeMerge(_ field: String, to policy: String) -> String {
    words("settle \(field) by \(policy)", "\(field) の統合を \(policy) に変更")
  }
  package func relabel(_ field: String) -> String {
    words("change the label of \(field)", "\(field) の表示名を変更")
  }
  package var nothing: String { words("Nothing changes.", "変更はありません。") }
  package func touches(_ records: Int) -> String {
    words("It rewrites \(words.records(records)).", "\(words.records(records))を書き換えます。")
  }
}

extension Words {
  /// What is wrong with a model file.
  package var modelMistake: ModelWords { ModelWords(words: self) }
  /// What a changed model will do.
  package var forecast: ForecastWords { ForecastWords(words: self) }
}
