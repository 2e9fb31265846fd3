// What a migration would do, in sentences. Pure.

internal import RecordStore
internal import Records
internal import Wording

/// Makes the text that a person agrees to before a model is applied.
struct ForecastWords {
  /// More changes than this are counted, not told one by one.
  private static let changesMax = 12

  let words: Words
  let old: Model
  let new: Model

  func text(of forecast: MigrationForecast) -> String {
    let changes = ChangeWords(words: words, old: old, new: new, naming: .asShown)
    var lines = forecast.changes.prefix(Self.changesMax).map { "• " + changes.sentence(for: $0) }
    let rest = forecast.changes.count - lines.count
    if rest > 0 { lines.append(words.moreChanges(rest)) }
    lines.append("")
    for loss in forecast.losses {
      let name = loss.field.map { changes.field($0, of: loss.type) } ?? changes.type(loss.type)
      lines.append("! " + words.loses(loss.records, name))
    }
    lines.append(
      words.effort(records: forecast.records, seconds: forecast.duration.components.seconds))
    lines.append(words.backupFirst)
    return lines.joined(separator: "\n")
  }
}

extension Words {
  func moreChanges(_ number: Int) -> String { self("… and \(number) more", "… ほか \(number)") }
  func loses(_ number: Int, _ name: String) -> String {
    self(
      "\(records(number)) have a value in \(name) that goes out of sight.",
      "\(name) の値 \(number) 件が見えなくなります。")
  }
  func effort(records number: Int, seconds: Int64) -> String {
    let time =
      seconds < 1
      ? self("less than a second", "1 秒未満") : self("about \(seconds) s", "約 \(seconds) 秒")
    return self("\(records(number)) are written anew: \(time).", "\(number) 件を書き直します: \(time)。")
  }
  var backupFirst: String { self("A backup is made first.", "先にバックアップを作ります。") }
  var modelDiscardExplained: String {
    self("The model was edited and is not applied.", "編集したモデルは適用されていません。")
  }
  var chooseField: String { self("Choose a field first.", "先にフィールドを選んでください。") }
  func modelChanges(_ number: Int) -> String {
    number == 0
      ? self("Nothing is changed yet.", "まだ変更はありません。")
      : self(
        "\(count(number, "change", "changes", "")): Ctrl-S shows the forecast.",
        "変更 \(number)。Ctrl-S で予測を示します。")
  }
  func rules(of field: Field, in type: RecordType) -> String {
    var parts: [String] = []
    if field.hidden { parts.append(dropped) }
    if type.title == field.id { parts.append(self("title", "題名")) }
    if type.key == field.id { parts.append(self("key", "キー")) }
    if type.list.contains(field.id) { parts.append(self("column", "列")) }
    if field.required { parts.append(required) }
    if field.unique { parts.append(unique) }
    if field.search { parts.append(searched) }
    if field.index { parts.append(indexed) }
    return parts.joined(separator: ", ")
  }
  /// What a field of the type holds, in a few words.
  func about(type word: String) -> String {
    switch word {
    case "text": self("one line", "一行の文字")
    case "longText": self("many lines", "複数行の文字")
    case "integer": self("a whole number", "整数")
    case "number": self("a number", "数")
    case "decimal": self("an exact decimal", "正確な小数")
    case "boolean": self("yes or no", "はい・いいえ")
    case "date": self("a day", "日付")
    case "dateTime": self("a day and a time", "日時")
    case "choice": self("one of a few words", "選択肢から一つ")
    case "tags": self("a set of words", "言葉の集まり")
    case "url": self("a web address", "URL")
    case "email": self("a mail address", "メールアドレス")
    case "counter": self("a number that devices add up", "端末間で合計する数")
    case "location": self("latitude and longitude", "緯度と経度")
    case "reference": self("another record", "別のレコード")
    case "references": self("several records", "複数のレコード")
    case "attachment": self("a file", "ファイル")
    default: ""
    }
  }
}
