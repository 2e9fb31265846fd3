// What can't be understood in a person's settings file.

package struct SettingsWords: Sendable {
  let words: Words

  package func unreadable(_ path: String) -> String {
    words("'\(path)' is not text in UTF-8 that can be read.", "「\(path)」は読める UTF-8 のテキストではありません。")
  }
  /// A mistake where it stands.
  package func mistake(in path: String, line: Int, _ clause: String) -> String {
    words("\(path), line \(line): \(clause).", "\(path) の \(line) 行: \(clause)。")
  }
  package var notASetting: String { words("expected 'name: value'", "「名前: 値」の形ではありません") }
  package var language: String { words("language is en or ja", "language は en か ja です") }
  package var palette: String { words("palette is dark or light", "palette は dark か light です") }
  package func unknown(_ name: String) -> String {
    words(
      "there is no setting '\(words.shortened(name))'; there are language, palette, keys",
      "「\(words.shortened(name))」という設定はありません。あるのは language、palette、keys です")
  }
  package func unknownCommand(_ name: String) -> String {
    words(
      "there is no command '\(words.shortened(name))'",
      "「\(words.shortened(name))」というコマンドはありません")
  }
  package func unknownKey(_ name: String) -> String {
    words("there is no key '\(words.shortened(name))'", "「\(words.shortened(name))」というキーはありません")
  }
  /// After the first mistake, on the same line.
  package func others(_ number: Int) -> String {
    words(
      "(\(number) more \(number == 1 ? "line" : "lines") can't be understood.)",
      "（ほかに \(number) 行が理解できません。）")
  }
}

extension Words {
  /// What is wrong with a settings file.
  package var settings: SettingsWords { SettingsWords(words: self) }
}
