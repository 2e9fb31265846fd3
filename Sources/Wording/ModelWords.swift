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
      "'\(words.shortened(pattern))' is not a regular expression that can be checked",
      "「\(words.shortened(pattern))」は、ここで使える正規表現ではありません")
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

/// The steps of a migration, as its forecast tells them: clauses.
package struct ForecastWords: Sendable {
  let words: Words

  package func addType(_ type: String) -> String {
    words("new type \(type)", "新しい種類 \(type)")
  }
  package func dropType(_ type: String) -> String {
    words(
      "type \(type) is dropped (its records stay in the file)",
      "種類 \(type) を廃止（レコードはファイルに残ります）")
  }
  package func reviveType(_ type: String) -> String {
    words("type \(type) comes back", "種類 \(type) が戻ります")
  }
  package func renameType(_ old: String, to new: String) -> String {
    words("type \(old) is called \(new)", "種類 \(old) の名前は \(new)")
  }
  package func rearrange(_ type: String) -> String {
    words(
      "\(type): label, title, list, sort or order of the fields",
      "\(type): 表示名・題名・列・並び・フィールドの順")
  }
  package func changeKey(of type: String, from old: String?, to new: String?) -> String {
    words(
      "\(type): the key is \(new ?? "none") instead of \(old ?? "none")",
      "\(type): キーは \(old ?? "なし") から \(new ?? "なし") へ")
  }
  package func addField(_ field: String, to type: String) -> String {
    words("\(type): new field \(field)", "\(type): 新しいフィールド \(field)")
  }
  package func dropField(_ field: String, of type: String) -> String {
    words(
      "\(type): field \(field) is dropped (its values stay in the file)",
      "\(type): フィールド \(field) を廃止（値はファイルに残ります）")
  }
  package func reviveField(_ field: String, of type: String) -> String {
    words("\(type): field \(field) comes back", "\(type): フィールド \(field) が戻ります")
  }
  package func renameField(_ old: String, to new: String, of type: String) -> String {
    words("\(type): \(old) is called \(new)", "\(type): \(old) の名前は \(new)")
  }
  package func replaceField(
    _ field: String, of type: String, by kind: String, from old: String
  ) -> String {
    words(
      "\(type): \(field) becomes \(kind), filled from its \(old) values",
      "\(type): \(field) を \(kind) にし、\(old) の値から埋めます")
  }
  package func changeChoices(_ field: String, of type: String, removed: [String]) -> String {
    guard !removed.isEmpty else {
      return words("\(type): the choices of \(field)", "\(type): \(field) の選択肢")
    }
    return words(
      "\(type): the choices of \(field), without \(words.list(removed))",
      "\(type): \(field) の選択肢から \(words.list(removed)) を除く")
  }
  package func changeConstraints(_ field: String, of type: String) -> String {
    words(
      "\(type): what \(field) may hold, from the next save on",
      "\(type): \(field) に入れられるもの（次の保存から）")
  }
  package func changeIndex(_ field: String, of type: String) -> String {
    words("\(type): the index of \(field)", "\(type): \(field) の索引")
  }
  package func changeSearch(_ field: String, of type: String) -> String {
    words("\(type): whether search finds \(field)", "\(type): \(field) を検索対象にするか")
  }
  package func changeMerge(
    _ field: String, of type: String, from old: String, to new: String
  ) -> String {
    words(
      "\(type): \(field) settles by \(new) instead of \(old)",
      "\(type): \(field) の統合は \(old) から \(new) へ")
  }
  package func relabel(_ field: String, of type: String) -> String {
    words("\(type): the label of \(field)", "\(type): \(field) の表示名")
  }
  package func outOfSight(_ loss: String) -> String {
    words("out of sight: \(loss)", "見えなくなるもの: \(loss)")
  }
  package var nothing: String { words("nothing changes", "変更はありません") }
}

extension Words {
  /// What is wrong with a model file.
  package var modelMistake: ModelWords { ModelWords(words: self) }
  /// What a changed model will do.
  package var forecast: ForecastWords { ForecastWords(words: self) }
}
