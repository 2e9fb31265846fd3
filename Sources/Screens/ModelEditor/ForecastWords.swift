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
    var lines = forecast.changes.prefix(Self.changesMax).map { "• " + sentence(for: $0) }
    let rest = forecast.changes.count - lines.count
    if rest > 0 { lines.append(words.moreChanges(rest)) }
    lines.append("")
    for loss in forecast.losses {
      let name = loss.field.map { field($0, of: loss.type) } ?? type(loss.type)
      lines.append("! " + words.loses(loss.records, name))
    }
    lines.append(
      words.effort(records: forecast.records, seconds: forecast.duration.components.seconds))
    lines.append(words.backupFirst)
    return lines.joined(separator: "\n")
  }

  private func type(_ id: TypeID) -> String {
    (new.type(id) ?? old.type(id))?.displayName ?? id.name
  }

  private func field(_ id: FieldID, of type: TypeID) -> String {
    (new.type(type)?.field(id) ?? old.type(type)?.field(id))?.title ?? id.name
  }

  private func sentence(for change: ModelChange) -> String {
    switch change {
    case .addType(let id): words("Add the type \(type(id))", "種類 \(type(id)) を追加")
    case .dropType(let id): words("Drop the type \(type(id))", "種類 \(type(id)) を廃止")
    case .reviveType(let id): words("Bring back the type \(type(id))", "種類 \(type(id)) を復活")
    case .renameType(_, let from, let to):
      words("Rename the type \(from) to \(to)", "種類 \(from) を \(to) に改名")
    case .rearrangeType(let id):
      words("Rearrange \(type(id)): title, columns, order", "\(type(id)) の題名・列・順を変更")
    case .changeKey(let id, _, let to):
      to.map { key in
        words("Identify \(type(id)) by \(field(key, of: id))", "\(type(id)) のキーを変更")
      } ?? words("\(type(id)) has no key any more", "\(type(id)) のキーを外す")
    case .addField(let id, let name):
      words("Add \(field(name, of: id)) to \(type(id))", "\(type(id)) に \(field(name, of: id)) を追加")
    case .dropField(let id, let name):
      words(
        "Drop \(field(name, of: id)) of \(type(id))", "\(type(id)) の \(field(name, of: id)) を廃止")
    case .reviveField(let id, let name):
      words(
        "Bring back \(field(name, of: id)) of \(type(id))",
        "\(type(id)) の \(field(name, of: id)) を復活")
    case .renameField(let id, _, let from, let to):
      words("Rename \(from) of \(type(id)) to \(to)", "\(type(id)) の \(from) を \(to) に改名")
    case .replaceField(let id, _, let name):
      words(
        "Give \(field(name, of: id)) of \(type(id)) another type, filled from the old one",
        "\(type(id)) の \(field(name, of: id)) の型を変えて値を移す")
    case .changeChoices(let id, let name, _):
      words(
        "Change the choices of \(field(name, of: id))",
        "\(field(name, of: id)) の選択肢を変更（\(type(id))）")
    case .changeConstraints(let id, let name):
      words(
        "Change the rules of \(field(name, of: id))", "\(type(id)) の \(field(name, of: id)) の規則を変更")
    case .changeIndex(let id, let name):
      words(
        "Change the index of \(field(name, of: id))", "\(type(id)) の \(field(name, of: id)) の索引を変更")
    case .changeSearch(let id, let name):
      words("Change whether \(field(name, of: id)) is searched", "\(type(id)) の検索対象を変更")
    case .changeMerge(let id, let name, _, let to):
      words("Settle \(field(name, of: id)) by \(to.rawValue)", "\(type(id)) の統合方法を変更")
    case .relabelField(let id, let name):
      words("Label a field \(field(name, of: id))", "\(type(id)) の表示名を変更")
    }
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
