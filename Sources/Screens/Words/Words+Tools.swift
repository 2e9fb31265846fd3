// Sentences of appearance, libraries and the model editor.

internal import Records
internal import ViewModels
internal import Wording

extension Words {
  // MARK: Appearance

  var appearance: String { self("Appearance", "外観") }
  var role: String { self("Role", "役割") }
  var foreground: String { self("Foreground", "文字色") }
  var background: String { self("Background", "背景色") }
  var emphasis: String { self("Emphasis", "強調") }
  var inherited: String { self("as beneath", "下と同じ") }
  var startFrom: String { self("Start from", "ひな形") }
  var colourExplained: String {
    self(
      "red, bright-blue, 208, #ff8800, default; empty for what lies beneath. Tab completes.",
      "red, bright-blue, 208, #ff8800, default。空なら下と同じ。Tab で補完します。")
  }
  func noColour(_ name: String) -> String {
    self("There is no colour \(name).", "色 \(name) はありません。")
  }
  func attribute(_ name: String) -> String {
    switch name {
    case "bold": self("bold", "太字")
    case "dim": self("dim", "淡色")
    case "italic": self("italic", "斜体")
    case "underline": self("underline", "下線")
    case "reverse": self("reverse", "反転")
    default: name
    }
  }

  // MARK: Libraries

  var library: String { self("Library", "ライブラリ") }
  var libraries: String { self("Libraries", "ライブラリ") }
  var path: String { self("Path", "パス") }
  var noLibraries: String { self("No other library was opened yet.", "他のライブラリはまだありません。") }
  var noSwitching: String { self("Only this library can be opened here.", "ここでは他を開けません。") }
  func opening(_ path: String) -> String { self("Opening \(path)…", "\(path) を開いています…") }
  var openLibrary: String { self("Open a library", "ライブラリを開く") }
  var openLibraryExplained: String {
    self("The path of its folder, NAME.skyros; Tab completes.", "フォルダー NAME.skyros のパス。Tab で補完します。")
  }
  var newLibrary: String { self("New library", "新しいライブラリ") }
  var newLibraryExplained: String {
    self("The path of its folder; .skyros is added.", "フォルダーのパス。.skyros が付きます。")
  }
  var noSuchFolder: String { self("There is no such folder.", "そのフォルダーはありません。") }
  var pathNeeded: String { self("A path is needed.", "パスが必要です。") }
  var pathTaken: String { self("Something is there already.", "既に何かがあります。") }

  // MARK: The model editor

  var modelTitle: String { self("Model", "モデル") }
  var field: String { self("Field", "フィールド") }
  var rules: String { self("Rules", "規則") }
  var noFieldsYet: String { self("No fields yet: a adds one.", "フィールドがありません。a で追加します。") }
  var newField: String { self("New field", "新しいフィールド") }
  var newType: String { self("New type", "新しい種類") }
  var rename: String { self("Rename", "改名") }
  var label: String { self("Label", "表示名") }
  var nameExplained: String {
    self("Letters, digits and _, beginning with a letter.", "英字で始まる英数字と _。")
  }
  var labelExplained: String { self("Any wording; empty for the name.", "自由な表記。空なら名前のまま。") }
  var badName: String {
    self("A name has letters, digits and _, and begins with a letter.", "名前は英字で始まる英数字と _ です。")
  }
  var fieldTypeTitle: String { self("Field type", "フィールドの型") }
  var choicesTitle: String { self("Choices", "選択肢") }
  var choicesExplained: String { self("Separated by commas.", "コンマで区切ります。") }
  var choicesNeeded: String { self("At least one choice is needed.", "選択肢が必要です。") }
  var targetTitle: String { self("Refers to", "参照先") }
  func fieldType(_ type: FieldType, in model: Model) -> String {
    switch type {
    case .choice(let choices): "choice: " + choices.joined(separator: ", ")
    case .reference(let target), .references(let target):
      "\(type.word) → " + (model.type(target)?.displayName ?? target.name)
    default: type.word
    }
  }
  var required: String { self("required", "必須") }
  var unique: String { self("unique", "一意") }
  var searched: String { self("searched", "検索対象") }
  var indexed: String { self("indexed", "索引") }
  var titleOfRecords: String { self("title of the records", "レコードの題名") }
  var columnOfList: String { self("column of the list", "一覧の列") }
  var sortsTheList: String { self("sorts the list", "一覧の並び順") }
  func rule(_ rule: FieldRule) -> String {
    switch rule {
    case .required: required
    case .unique: unique
    case .search: searched
    case .index: indexed
    case .defaultValue: self("default", "初期値")
    case .min: self("least", "最小")
    case .max: self("most", "最大")
    case .pattern: self("pattern", "パターン")
    case .merge: self("settles by", "統合の方法")
    case .onDelete: self("when the target is deleted", "参照先の削除時")
    }
  }
  func explained(_ rule: FieldRule, for type: FieldType) -> String {
    switch rule {
    case .defaultValue:
      self("What a new record begins with; empty for nothing.", "新しいレコードの値。空ならなし。")
    case .min, .max:
      type.isText
        ? self("Its length in characters; empty for no bound.", "文字数。空なら制限なし。")
        : self("A value that is allowed still; empty for no bound.", "許される値の端。空なら制限なし。")
    case .pattern:
      self("A regular expression that the whole text matches.", "全体が一致する正規表現。")
    default: ""
    }
  }
  func about(rule word: String) -> String {
    switch word {
    case "latest": self("the newest value is shown", "新しい値を示す")
    case "union": self("what anybody added stays", "加えられたものはすべて残る")
    case "sum": self("everybody's additions count", "加算を合わせる")
    case "lines": self("line by line", "行ごとに統合")
    case "nullify": self("the reference is emptied", "参照を空にする")
    case "cascade": self("this record is deleted too", "このレコードも削除")
    case "deny": self("the target can't be deleted", "参照先を削除できない")
    default: ""
    }
  }
  func sentence(for mistake: RuleMistake) -> String {
    switch mistake {
    case .value(let mistake): sentence(for: mistake)
    case .relative: self("A default is the same on every day.", "初期値は日によって変わりません。")
    case .pattern:
      self(
        "This is no regular expression that can be checked.", "ここで使える正規表現ではありません。")
    case .emptyRange: self("The least is above the most.", "最小が最大より大きいです。")
    }
  }
  var dropped: String { self("dropped", "廃止") }
  var nothingToApply: String { self("Nothing was changed.", "変更はありません。") }
  var forecasting: String { self("Looking at what would happen…", "影響を調べています…") }
  var applying: String { self("Changing the library…", "ライブラリを変更しています…") }
  var applyTitle: String { self("Apply these changes?", "変更を適用しますか？") }
  var apply: String { self("Apply", "適用") }
  var applyLosing: String { self("Apply and lose them", "失っても適用") }
  var modelApplied: String { self("The model is changed.", "モデルを変更しました。") }
  var overtaken: String {
    self(
      "The model was changed elsewhere meanwhile: apply shows the difference to that one.",
      "モデルは他で変更されました。")
  }
}

extension Words {
  func sentence(for problem: ModelProblem, in model: Model) -> String {
    let type = model.type(problem.type)?.displayName ?? problem.type.name
    return switch problem.reason {
    case .badName(let name):
      self(
        "\(type): \(name) is no name: letters, digits and _, beginning with a letter.",
        "\(type): \(name) は名前になりません。")
    case .nameTaken(let name):
      self("\(type): the name \(name) is taken.", "\(type): 名前 \(name) は使われています。")
    case .noFields: self("\(type) needs a field.", "\(type) にフィールドが必要です。")
    case .noChoices: self("\(type): a choice needs something to choose.", "\(type): 選択肢が必要です。")
    case .lostTarget(let target):
      self(
        "\(type) refers to \(target.name), which is dropped.",
        "\(type) の参照先 \(target.name) は廃止されています。")
    }
  }
}
