// What a library refuses, and what the doctor finds in it.

package struct StoreWords: Sendable {
  let words: Words

  package func missing(_ path: String) -> String {
    words(
      "There is no library at '\(path)'. Make one with: skyros new '\(path)'",
      "「\(path)」にライブラリはありません。作るには: skyros new '\(path)'")
  }
  package func exists(_ path: String) -> String {
    words(
      "There is something at '\(path)' already: nothing was changed.",
      "「\(path)」には既に何かがあります。何も変えていません。")
  }
  package func notALibrary(_ path: String) -> String {
    words(
      "'\(path)' was not written by Skyros: nothing was changed.",
      "「\(path)」は Skyros のものではありません。何も変えていません。")
  }
  package func newer(_ path: String, format: Int, known: Int) -> String {
    words(
      "'\(path)' was written by a newer Skyros (format \(format), this one knows \(known)): install "
        + "that version to open it.",
      "「\(path)」は新しい Skyros のものです（形式 \(format)、こちらは \(known) まで）。更新してください。")
  }
  package func unusableName(_ name: String) -> String {
    words(
      "The name '\(name)' can't be used: take another one.", "名前「\(name)」は使えません。別の名前にしてください。")
  }
  package func searchTooLong(wordsMax: Int) -> String {
    words(
      "The search is too long: at most \(wordsMax) words, or characters of Japanese, are searched for "
        + "at once. Take a part of it.",
      "検索が長すぎます。一度に探せるのは \(wordsMax) 語（日本語は \(wordsMax) 文字）までです。一部で探してください。")
  }
  package func unknownType(_ name: String) -> String {
    words("There is no type '\(name)' in this library.", "このライブラリに種類「\(name)」はありません。")
  }
  package func hiddenType(_ name: String) -> String {
    words(
      "The model has dropped the type '\(name)': bring it back first (M in the interface, d on the "
        + "type), or import into it again.",
      "種類「\(name)」はモデルから外れています。先に M の画面で d を押して戻すか、もう一度読み込んでください。")
  }
  package func gone(_ path: String) -> String {
    words(
      "The library at '\(path)' was moved, deleted or replaced by another: nothing was saved. "
        + "Put it back and try again, or open it anew.",
      "「\(path)」のライブラリがなくなったか、別のものに置き換えられました。保存していません。"
        + "元に戻してやり直すか、開き直してください。")
  }
  package func readOnly(_ path: String) -> String {
    words(
      "This library is read-only: '\(path)' can't be written here, and nothing was changed.",
      "このライブラリは読み取り専用です。「\(path)」には書けないため、何も変えていません。")
  }
  package func unreadableWithoutWriting(_ path: String) -> String {
    words(
      "'\(path)' can't be written here, and what was saved in it last can't be read without that: open "
        + "it once where it can be written, or copy the folder to such a place.",
      "「\(path)」には書けず、最後に保存された内容は書ける場所でないと読めません。"
        + "書ける場所で一度開くか、フォルダーをそこへ写してください。")
  }
  package func changedByOthers(_ path: String) -> String {
    words(
      "'\(path)' was changed by somebody who can write it, while it was only read here: open it again.",
      "「\(path)」が読んでいる間に他で書き換えられました。開き直してください。")
  }
  package var modelChanged: String {
    words(
      "Somebody changed the model meanwhile: nothing was written. Look, and apply it again.",
      "その間にモデルが変わりました。何も書いていません。確かめてやり直してください。")
  }
  package func unread(fields: [String]) -> String {
    words(
      "The text of \(words.list(fields)) can't be read as a value.",
      "\(words.list(fields)) の入力が値として読めません。")
  }
  package func invalid(_ problems: [String]) -> String {
    words(
      "Nothing was written: \(problems.joined(separator: "; ")).",
      "何も書いていません: \(problems.joined(separator: "; "))。")
  }
  package func referred(_ id: String, by records: [String]) -> String {
    words(
      "\(id) can't be deleted: \(records.count == 1 ? "a record refers" : "records refer") to it "
        + "(\(words.shortened(words.list(records)))).",
      "\(id) は削除できません。参照しているレコード: \(words.shortened(words.list(records)))。")
  }
  package func changedSince(_ number: Int64) -> String {
    words(
      "Everything in transaction \(number) was changed again since: nothing was undone.",
      "トランザクション \(number) の内容はその後すべて変わりました。何も取り消していません。")
  }
  package func undone(_ number: Int64, by own: Int64) -> String {
    words(
      "Transaction \(number) is undone. To make it again: skyros undo \(own)",
      "トランザクション \(number) を取り消しました。やり直すには: skyros undo \(own)")
  }
  package func purged(_ number: Int64) -> String {
    words(
      "Transaction \(number) can't be undone: what it changed was purged.",
      "トランザクション \(number) は取り消せません。対象は完全に削除されました。")
  }
  package func alreadyUndone(_ number: Int64, by other: Int64) -> String {
    words(
      "Transaction \(number) was undone already, by transaction \(other).",
      "トランザクション \(number) は \(other) で取り消し済みです。")
  }
  package var nothingToUndo: String {
    words("There is nothing to undo.", "取り消すものはありません。")
  }
  package func losesValues(_ losses: [String]) -> String {
    words(
      "This would put values out of sight, which stay in the file: \(words.list(losses)). "
        + "Say --lose-values to do it.",
      "値が見えなくなります（ファイルには残ります）: \(words.list(losses))。"
        + "行うには --lose-values を付けてください。")
  }
  package func loss(_ what: String, records: Int) -> String {
    words("\(what) in \(words.records(records))", "\(words.records(records))の \(what)")
  }
  package func attachmentMissing(_ hash: String) -> String {
    words(
      "The content of an attachment is missing (\(hash)).", "添付ファイルの中身がありません (\(hash))。")
  }
  package func attachmentDamaged(_ hash: String) -> String {
    words(
      "The content of an attachment is not what was attached (\(hash)).",
      "添付ファイルの中身が元と違います (\(hash))。")
  }
  package func file(_ path: String, operation: String, reason: String) -> String {
    words("Can't \(operation) '\(path)': \(reason).", "「\(path)」を \(operation) できません: \(reason)。")
  }
  /// - Parameter code: An extended result code of SQLite (rescode.html); its low byte is the class.
  package func sqlite(code: Int, message: String) -> String {
    switch code & 0xFF {
    case 11, 26:
      return words(
        "The library's file is damaged: \(message) (\(code)). What is wrong with it: skyros doctor. "
          + "A backup in its place (the library's folder backups/ has some): "
          + "skyros restore-backup FILE",
        "ライブラリのファイルが壊れています: \(message) (\(code))。調べるには skyros doctor、"
          + "バックアップ（backups/ にあります）に置き換えるには skyros restore-backup FILE")
    case 13:
      return words(
        "There is no room left for the library's file: nothing was changed. "
          + "Free some room, and try again.",
        "ディスクに空きがありません。何も変えていません。空けてからやり直してください。")
    default: break
    }
    return words(
      "The library's file failed: \(message) (\(code)).",
      "ライブラリのファイルに問題があります: \(message) (\(code))。")
  }
  package func damaged(_ what: String) -> String {
    words(
      "The library is damaged: \(what). Try: skyros doctor",
      "ライブラリが壊れています: \(what)。skyros doctor をお試しください。")
  }
}

/// How far a write of many records is.
package struct StoreProgressWords: Sendable {
  let words: Words

  package var deleting: String { words("Deleting", "削除中") }
  package var restoring: String { words("Restoring", "復元中") }
  package var purging: String { words("Purging", "完全に削除中") }
  package var undoing: String { words("Undoing", "取り消し中") }
  package func part(_ doing: String, _ done: String, of total: String) -> String {
    words("\(doing)  \(done) of \(total) records", "\(doing)  \(done)/\(total) 件")
  }
  package func left(_ time: String) -> String { words("\(time) left", "残り \(time)") }
}

/// What the doctor finds: clauses.
package struct DoctorWords: Sendable {
  let words: Words

  package func file(_ message: String) -> String {
    words("SQLite says of its file: \(message)", "SQLite の報告: \(message)")
  }
  package func fileRemedy(_ path: String) -> String {
    words(
      "The file itself is damaged, and is left as it is. What can still be read: skyros export. A "
        + "backup in its place (\(path)/backups has some): skyros restore-backup FILE",
      "ファイル自体が壊れています（そのままにしました）。読めるものは skyros export、"
        + "バックアップ（\(path)/backups）に置き換えるには skyros restore-backup FILE")
  }
  package func missingIndex(_ name: String) -> String {
    words("the index \(name) is missing", "索引 \(name) がありません")
  }
  package func missingGuard(_ table: String) -> String {
    words(
      "other programs could write \(table) past the history",
      "他のプログラムが履歴なしに \(table) を書けます")
  }
  package func search(_ type: String) -> String {
    words(
      "the search of \(type) does not find what is in the records",
      "\(type) の検索がレコードの内容と合いません")
  }
  package func count(_ type: String, noted: Int, found: Int) -> String {
    words(
      "\(type) was counted as \(noted) records and has \(found)",
      "\(type) は \(noted) 件のはずが \(found) 件あります")
  }
  package func state(_ record: String) -> String {
    words("the state of \(record) can't be read", "\(record) の状態が読めません")
  }
  package func conflictMark(_ record: String) -> String {
    words(
      "\(record) is marked wrongly as to whether it has conflicts", "\(record) の競合の印が違います")
  }
  package func openTransaction(_ number: Int64) -> String {
    words(
      "transaction \(number) was never closed: another program wrote it",
      "トランザクション \(number) が閉じていません。他のプログラムが書きました")
  }
  package func attachmentMissing(_ hash: String) -> String {
    words("the content of an attachment is missing (\(hash))", "添付ファイルの中身がありません (\(hash))")
  }
  package func attachmentDamaged(_ hash: String) -> String {
    words(
      "the content of an attachment is not what was attached (\(hash))",
      "添付ファイルの中身が元と違います (\(hash))")
  }
  package func repaired(_ finding: String) -> String {
    words("repaired: \(finding)", "直しました: \(finding)")
  }
  package func unusedAttachments(files: Int, bytes: Int64) -> String {
    words(
      "\(files) attachments (\(bytes) bytes) are used by no record any more",
      "どのレコードにも使われていない添付が \(files) 個 (\(bytes) バイト) あります")
  }
  package var healthy: String { words("The library is in order.", "ライブラリに問題はありません。") }
}

extension Words {
  /// What a library refuses.
  package var store: StoreWords { StoreWords(words: self) }
  /// How far a write is.
  package var storeProgress: StoreProgressWords { StoreProgressWords(words: self) }
  /// What the doctor finds.
  package var doctor: DoctorWords { DoctorWords(words: self) }
}
