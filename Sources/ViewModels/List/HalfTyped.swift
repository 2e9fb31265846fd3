// Whether the last word of a filter is still on its way to something else. Pure.

internal import Records

/// What a filter's text ends in while it is typed.
enum HalfTyped: Equatable {
  /// Nothing is half-typed: the last condition is whole.
  case nothing
  /// A word, which is searched for; it may yet become the name of a field that is none.
  case word
  /// The beginning of a condition: a field's name, or a sign with no value behind it.
  case condition

  private static let signs: Set<Character> = ["=", "!", "<", ">", "~", ":", "\""]

  init(_ text: String, for type: RecordType) {
    let last = text.split(omittingEmptySubsequences: false) { $0.isWhitespace || $0 == "(" }
    let term = (last.last ?? "").drop { $0 == "-" }
    guard !term.isEmpty, !term.hasSuffix(")") else {
      self = .nothing
      return
    }
    guard !term.contains(where: Self.signs.contains) else {
      self = ["=", ":"].contains(term.last) ? .condition : .nothing
      return
    }
    if type.field(named: String(term))?.type == .boolean {
      self = .nothing
      return
    }
    let begun = term.lowercased()
    let isName = type.visibleFields.contains { $0.name.lowercased().hasPrefix(begun) }
    self = isName ? .condition : .word
  }
}
