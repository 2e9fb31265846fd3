// What a value has to look like. Clauses, for the end of a sentence; ``Words/sentence(_:)`` makes one
// of each.

package struct ExpectedWords: Sendable {
  let words: Words

  package var wholeNumber: String { words("a whole number is expected", "整数を入れてください") }
  package var smallerNumber: String { words("the number is too large", "数が大きすぎます") }
  package var number: String { words("a number is expected", "数を入れてください") }
  package var decimal: String {
    words("a decimal number is expected, like 12.50", "12.50 のような小数を入れてください")
  }
  package var boolean: String { words("true or false is expected", "true か false を入れてください") }
  package var date: String {
    words(
      "a date is expected, like 2026-11-21 or today+7d",
      "2026-11-21 や today+7d のように日付を入れてください")
  }
  package var dateTime: String {
    words(
      "a date and time is expected, like 2026-11-21T09:30",
      "2026-11-21T09:30 のように日時を入れてください")
  }
  package var location: String {
    words(
      "latitude and longitude are expected, like 38.9,24.5", "38.9,24.5 のように緯度と経度を入れてください")
  }
  package var url: String {
    words("an address is expected, like https://example.org", "https://example.org のように入れてください")
  }
  package var email: String {
    words(
      "an e-mail address is expected, like ada@example.org",
      "ada@example.org のようにメールアドレスを入れてください")
  }
  package func choice(of choices: [String]) -> String {
    words("the choices are \(words.list(choices))", "\(words.list(choices)) のどれかを選んでください")
  }
  package var recordID: String { words("the id of a record is expected", "レコードの ID を入れてください") }
  package var file: String { words("a file is expected, as @PATH", "@PATH の形でファイルを指定してください") }
  package var texts: String { words("a list of texts is expected", "文字列の一覧を入れてください") }
  package var text: String { words("a text is expected", "文字列を入れてください") }
  package var addableField: String {
    words(
      "+= and -= are for counters, tags and references", "+= と -= はカウンター、タグ、参照にだけ使えます")
  }
  package var smallerSum: String { words("the sum is too large", "合計が大きすぎます") }

  /// The whole sentence: which text, for which field, and why not.
  package func doesNotFit(_ text: String, field: String, because clause: String) -> String {
    words(
      "'\(words.shortened(text))' does not fit '\(field)': \(clause).",
      "「\(words.shortened(text))」は「\(field)」に合いません: \(clause)。")
  }
}

/// What the model allows a field to hold: clauses whose subject is the field.
package struct ConstraintWords: Sendable {
  let words: Words

  package var required: String { words("must not be empty", "空にできません") }
  package func atLeast(_ bound: String) -> String {
    words("must not be below \(bound)", "\(bound) 以上にしてください")
  }
  package func atMost(_ bound: String) -> String {
    words("must not be above \(bound)", "\(bound) 以下にしてください")
  }
  package func pattern(_ pattern: String) -> String {
    words("must match \(pattern)", "\(pattern) に合う形にしてください")
  }
  package func choice(of choices: [String]) -> String {
    words("must be one of \(words.list(choices))", "\(words.list(choices)) のどれかにしてください")
  }
  package func taken(by record: String) -> String {
    words("is taken by the record \(record)", "レコード \(record) と同じです")
  }
  package var zeroCharacter: String {
    words("must not hold the character U+0000", "U+0000 という文字を含められません")
  }
  package var wrongType: String { words("has a value of another type", "型の違う値です") }
  package func shorter(than bytes: Int) -> String {
    words("must not be longer than \(words.bytes(bytes))", "\(words.bytes(bytes)) 以下にしてください")
  }

  /// `'population' must not be below 0`.
  package func of(field: String, _ clause: String) -> String {
    words("'\(field)' \(clause)", "「\(field)」は\(clause)")
  }
}

extension Words {
  /// What a value has to look like.
  package var expected: ExpectedWords { ExpectedWords(words: self) }
  /// What the model allows.
  package var constraint: ConstraintWords { ConstraintWords(words: self) }
}
