// The sentences that people read, in English and Japanese. Each is a pair, in one place: a property, or
// a function of what varies in it, grouped by what it is about. This room knows no other: who has a
// problem as data takes it apart and asks for the sentence with plain texts and numbers.
//
// To add a sentence, add a line to its group:
//
//     package var saved: String { words("Saved.", "保存しました。") }
//
// A test reads these files and holds that both languages say everything that varies.

/// Words in one language.
package struct Words: Sendable, Hashable {
  package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"

    /// The language that a locale asks for: `ja_JP.UTF-8` and the like.
    package init(locale: String) {
      let name = locale.lowercased()
      let isJapanese = name == "ja" || ["ja_", "ja-", "ja."].contains { name.hasPrefix($0) }
      self = isJapanese ? .japanese : .english
    }

    /// The language that an environment asks for, by POSIX's order of its variables.
    package init(environment: (String) -> String?) {
      let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment)
        .first { !$0.isEmpty }
      self.init(locale: locale ?? "")
    }
  }

  package let language: Language

  package init(_ language: Language = .english) { self.language = language }

  /// The one of the two that is in this language.
  package func callAsFunction(
    _ english: @autoclosure () -> String, _ japanese: @autoclosure () -> String
  ) -> String {
    language == .english ? english() : japanese()
  }

  // MARK: What many sentences share

  /// `1 record`, `3 records`; Japanese has no plural, and a counter of its own.
  package func count(
    _ number: Int, _ one: String, _ many: String, _ japanese: String
  ) -> String {
    self("\(number) \(number == 1 ? one : many)", "\(number) \(japanese)")
  }

  package func records(_ number: Int) -> String { count(number, "record", "records", "件") }
  package func savedChanges(_ number: Int) -> String {
    count(number, "saved change", "saved changes", "件の変更")
  }
  package func conflicts(_ number: Int) -> String {
    count(number, "conflict", "conflicts", "件の衝突")
  }
  package func fields(_ number: Int) -> String { count(number, "field", "fields", "項目") }
  package func bytes(_ number: Int) -> String { count(number, "byte", "bytes", "バイト") }

  /// `a, b and c`.
  package func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else {
      return names.first ?? self("nothing", "なし")
    }
    let head = names.dropLast().joined(separator: self(", ", "、"))
    return head + self(" and ", "、") + last
  }

  /// A text in a sentence: a long one is cut, so that the sentence stays one.
  package func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(59) + "…" : text
  }

  /// A clause as a sentence of its own.
  package func sentence(_ clause: String) -> String {
    self(clause.prefix(1).uppercased() + clause.dropFirst() + ".", clause + "。")
  }
}
