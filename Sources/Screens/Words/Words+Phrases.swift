// The words of TerminalKit's own widgets in the person's language.

internal import TerminalKit
internal import Wording

extension Words {
  /// The phrases of dialogs, help and palette.
  var phrases: Phrases {
    var phrases = Phrases()
    guard language == .japanese else { return phrases }
    phrases.cancel = "やめる"
    phrases.yes = "はい"
    phrases.no = "いいえ"
    phrases.help = "ヘルプ"
    phrases.helpOfHelp = "ここでできることとキーを示します。"
    phrases.commands = "コマンド"
    phrases.helpOfPalette = "名前でコマンドを探して実行します。"
    phrases.suspend = "中断"
    phrases.helpOfSuspend = "プログラムを止めて端末をシェルに返します。fg で再開します。"
    phrases.redraw = "再描画"
    phrases.helpOfRedraw = "画面全体を描き直します。"
    phrases.messages = "メッセージ"
    phrases.helpOfMessages = "最近のメッセージを新しい順に全文で示します。"
    phrases.noMessages = "メッセージはまだありません。"
    phrases.age = { age in
      let seconds = age.components.seconds
      return seconds < 60 ? "\(seconds) 秒前" : "\(seconds / 60) 分前"
    }
    phrases.interrupt = "C-c では終わりません。q で終了、Esc で戻ります。"
    phrases.search = "検索"
    phrases.nothingFound = "見つかりません"
    phrases.keysAfter = { "\($0) の次" }
    phrases.noSuchKey = { "\($0) はここでは使えません" }
    phrases.tooSmall = { need, have in
      "\(need.columns)x\(need.rows) 必要、今 \(have.columns)x\(have.rows)"
    }
    phrases.pasteCut = { "貼り付けが長すぎます: \($0) バイトを省きました" }
    phrases.typeToAdd = "入力して追加"
    phrases.close = "閉じる"
    phrases.titles = Self.movements
    phrases.weekdays = ["月", "火", "水", "木", "金", "土", "日"]
    return phrases
  }

  /// The commands of lists and texts, which are the widgets' own.
  private static let movements: [String: String] = {
    let names = [
      "down": "下", "up": "上", "pageDown": "次のページ", "pageUp": "前のページ",
      "halfDown": "半ページ下", "halfUp": "半ページ上", "first": "最初", "last": "最後",
      "left": "左", "right": "右", "open": "開く", "choose": "選ぶ",
    ]
    return ["list", "text", "versions"].reduce(into: [:]) { titles, widget in
      for (id, name) in names { titles[widget + "." + id] = name }
    }
  }()
}
