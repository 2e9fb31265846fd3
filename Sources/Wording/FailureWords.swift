// What the command line was asked for and could not do: whole sentences that say what to do.

package struct FailureWords: Sendable {
  let words: Words

  package func unknownSubcommand(_ word: String) -> String {
    words(
      "There is no subcommand '\(word)'. See: skyros --help",
      "サブコマンド「\(word)」はありません。skyros --help をご覧ください。")
  }
  package func unknownType(_ name: String, known: [String]) -> String {
    guard !known.isEmpty else {
      return words(
        "There is no type '\(name)' in this library. It has no types yet: import a file, or edit "
          + "the model.",
        "このライブラリに種類「\(name)」はありません。まだ何もないので、読み込むかモデルを編集してください。")
    }
    return words(
      "There is no type '\(name)' in this library. Its types: \(words.list(known)).",
      "このライブラリに種類「\(name)」はありません。あるもの: \(words.list(known))。")
  }
  package func unknownField(_ name: String, type: String, known: [String]) -> String {
    words(
      "\(type) has no field '\(name)'. Its fields: \(words.list(known)).",
      "\(type) にフィールド「\(name)」はありません。あるもの: \(words.list(known))。")
  }
  package func unknownTemplate(_ name: String, known: [String]) -> String {
    words(
      "There is no template '\(name)'. The templates: \(words.list(known)).",
      "ひな形「\(name)」はありません。あるもの: \(words.list(known))。")
  }
  package func unknownView(_ name: String, type: String, known: [String]) -> String {
    words(
      "\(type) has no saved view '\(words.shortened(name))'. Its views: \(words.list(known)).",
      "\(type) に「\(words.shortened(name))」というビューはありません。あるもの: \(words.list(known))。")
  }
  package func notAnAssignment(_ word: String) -> String {
    words(
      "'\(word)' is not of the form field=value.", "「\(word)」は field=value の形ではありません。")
  }
  package func noReferenceTitled(_ title: String, type: String) -> String {
    words(
      "No \(type) is called '\(words.shortened(title))'.",
      "「\(words.shortened(title))」という \(type) はありません。")
  }
  package func severalTitled(_ title: String, type: String) -> String {
    words(
      "Several \(type) records are called '\(words.shortened(title))': give the id of one.",
      "「\(words.shortened(title))」という \(type) は複数あります。ID で指定してください。")
  }
  package func unknownRecord(_ id: String, type: String) -> String {
    words(
      "There is no \(type) with the id '\(words.shortened(id))'.",
      "ID「\(words.shortened(id))」の \(type) はありません。")
  }
  package func unknownConflict(_ id: String) -> String {
    words(
      "There is no conflict with the id '\(words.shortened(id))'.",
      "ID「\(words.shortened(id))」の競合はありません。")
  }
  package func unknownTransaction(_ number: String) -> String {
    words("There is no transaction \(number).", "トランザクション \(number) はありません。")
  }
  package func inTrash(_ id: String, type: String) -> String {
    words(
      "\(type) \(id) is in the trash: restore it first (skyros restore \(type) \(id)).",
      "\(type) \(id) はゴミ箱にあります。先に戻してください (skyros restore \(type) \(id))。")
  }
  package func notInTrash(_ id: String, type: String) -> String {
    words(
      "\(type) \(id) is not in the trash: delete it first (skyros delete \(type) \(id)).",
      "\(type) \(id) はゴミ箱にありません。先に削除してください (skyros delete \(type) \(id))。")
  }
  package func conflict(fields: [String]) -> String {
    words(
      "Somebody changed \(words.list(fields)) meanwhile: nothing was written. Look, and set it again.",
      "その間に \(words.list(fields)) が変わりました。何も書いていません。確かめてやり直してください。")
  }
  package func gone(_ id: String, type: String) -> String {
    words(
      "\(type) \(id) was deleted meanwhile: nothing was written.",
      "その間に \(type) \(id) が削除されました。何も書いていません。")
  }
  package func file(_ path: String, reason: String) -> String {
    words("'\(path)': \(reason).", "「\(path)」: \(reason)。")
  }
  package func notText(_ path: String) -> String {
    words("'\(path)' is not text in UTF-8.", "「\(path)」は UTF-8 のテキストではありません。")
  }
  package func outputFailed(reason: String) -> String {
    words("Standard output can't be written: \(reason).", "標準出力に書けません: \(reason)。")
  }
  package var readerGone: String {
    words("Whoever read standard output went away.", "標準出力の読み手がいなくなりました。")
  }
  package var interrupted: String {
    words("Stopped: nothing was written.", "中断しました。何も書いていません。")
  }
  package var needsTerminal: String {
    words(
      "The interface needs a terminal. For scripts there are subcommands: skyros --help",
      "画面には端末が必要です。スクリプトにはサブコマンドがあります: skyros --help")
  }
  package func editorFailed(_ editor: String) -> String {
    words(
      "The editor '\(editor)' failed: nothing was changed.",
      "エディター「\(editor)」が失敗しました。何も変えていません。")
  }
  package var unchangedModel: String {
    words("The model was not edited: nothing was changed.", "モデルは編集されていません。何も変えていません。")
  }
  package func noAttachment(_ field: String, of record: String) -> String {
    words(
      "'\(field)' of \(words.shortened(record)) has no file attached.",
      "\(words.shortened(record)) の「\(field)」に添付ファイルはありません。")
  }
  package func textKept(in path: String) -> String {
    words("Your text is in '\(path)'.", "入力は「\(path)」にあります。")
  }
  package var noTerminalName: String {
    words(
      "TERM is not set: set it to what your terminal is, like xterm-256color.",
      "TERM がありません。xterm-256color のように端末の種類を設定してください。")
  }
  package func unknownTerminal(_ name: String) -> String {
    words(
      "The terminal '\(name)' is not known here: set TERM to one that is, like xterm-256color.",
      "端末「\(name)」は知られていません。TERM を xterm-256color などにしてください。")
  }
  package func simpleTerminal(_ name: String) -> String {
    words(
      "The terminal '\(name)' can't place its cursor. For scripts there are subcommands: skyros --help",
      "端末「\(name)」はカーソルを動かせません。スクリプトにはサブコマンドがあります: skyros --help")
  }
  package var noDescriptor: String {
    words(
      "The system has no file descriptor left: close other programs and try again.",
      "ファイル記述子が足りません。他のプログラムを閉じてやり直してください。")
  }
  package func unexpected(_ reason: String) -> String {
    words("Something unexpected happened: \(reason)", "予期しない問題が起きました: \(reason)")
  }
}

extension Words {
  /// What the command line could not do.
  package var failure: FailureWords { FailureWords(words: self) }
}
