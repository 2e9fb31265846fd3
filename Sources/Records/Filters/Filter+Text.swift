// A filter as text again: what a list shows above its rows, and what a saved view holds.

extension Filter {
  /// The filter as a person would write it; ``read(_:for:in:)`` gives back an equal one.
  package func text(for type: RecordType) -> String {
    if case .all(let parts) = self { return parts.map { $0.term(type) }.joined(separator: " ") }
    return term(type)
  }

  private func term(_ type: RecordType) -> String {
    switch self {
    case .all(let parts): "and(" + parts.map { $0.term(type) }.joined(separator: " ") + ")"
    case .any(let parts): "or(" + parts.map { $0.term(type) }.joined(separator: " ") + ")"
    case .not(let part): "-" + part.term(type)
    case .words(let words): FilterQuoting.word(words, type)
    case .field(let id, let condition): Self.test(type.field(id)?.name ?? id.name, condition)
    }
  }

  private static func test(_ name: String, _ condition: Condition) -> String {
    switch condition {
    case .isEmpty: return name + "="
    case .isPresent: return name + ":"
    case .compare(.equal, let operand) where operand.lower == .boolean(true): return name
    case .compare(let comparison, let operand):
      return name + comparison.rawValue + FilterQuoting.value(OperandText.text(of: operand))
    case .range(let lower, let upper):
      let ends = [lower, upper].map { end in
        end.map { FilterQuoting.value(OperandText.text(of: $0)) } ?? ""
      }
      return name + "=" + ends.joined(separator: "..")
    case .contains(let text): return name + "~" + FilterQuoting.value(text)
    case .hasTag(let tag): return name + ":" + FilterQuoting.value(tag)
    case .refers(.id(let id)): return name + "=" + id.description
    case .refers(.title(let title)): return name + "=" + FilterQuoting.value(title)
    }
  }
}

enum FilterQuoting {
  /// A value behind an operator.
  static func value(_ text: String) -> String {
    // By scalars, as the lexer reads: a mark joins the blank, the dot or the quote before it.
    let scalars = text.unicodeScalars
    let isPlain =
      !text.isEmpty && !zip(scalars, scalars.dropFirst()).contains { $0 == "." && $1 == "." }
      && !scalars.contains { $0.properties.isWhitespace || "\"\\()".unicodeScalars.contains($0) }
    return isPlain ? text : quoted(text)
  }

  /// A word that stands alone: it must not look like anything else.
  static func word(_ text: String, _ type: RecordType) -> String {
    let isPlain =
      !text.isEmpty && type.field(named: text)?.type != .boolean
      && text.unicodeScalars.allSatisfy(\.isWordPart)
    return isPlain ? text : quoted(text)
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
