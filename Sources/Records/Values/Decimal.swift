/// A decimal number of any precision, kept as canonical text: `-?digits[.digits]`, no leading
/// zeros, no trailing fraction zeros, no negative zero.
///
/// Equal numbers have equal text (`12.50` is `12.5`), which the join relies on (invariant J3).
package struct Decimal: Hashable, Sendable {
  /// The most digits that are taken: what no person types, and what bounds a hostile value.
  package static let digitsMax = 200

  package let text: String

  /// Reads a plain decimal number; nothing for exponents, blanks, or more than ``digitsMax`` digits.
  package init?(_ source: some StringProtocol) {
    var rest = Substring(source)
    let negative = rest.first == "-"
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let wholePart = parts.first, rest.utf8.count <= Self.digitsMax else { return nil }
    var whole = wholePart
    var fraction = parts.count == 2 ? parts[1] : ""
    let digits = Array(whole.utf8) + Array(fraction.utf8)
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    while whole.first == "0" { whole.removeFirst() }
    while fraction.last == "0" { fraction.removeLast() }
    let magnitude = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : ".\(fraction)")
    text = negative && magnitude != "0" ? "-\(magnitude)" : String(magnitude)
  }

  /// The nearest double: for comparing with a bound and for sorting, not for showing.
  package var approximate: Double { Double(text) ?? 0 }

  var isNegative: Bool { text.utf8.first == 45 }
}

extension Decimal: Comparable {
  /// Exact, whatever the precision.
  package static func < (a: Self, b: Self) -> Bool {
    switch (a.isNegative, b.isNegative) {
    case (true, false): true
    case (false, true): false
    case (false, false): magnitudePrecedes(a.text, b.text)
    case (true, true): magnitudePrecedes(String(b.text.dropFirst()), String(a.text.dropFirst()))
    }
  }

  private static func magnitudePrecedes(_ a: String, _ b: String) -> Bool {
    let wholeA = a.prefix { $0 != "." }
    let wholeB = b.prefix { $0 != "." }
    if wholeA.utf8.count != wholeB.utf8.count { return wholeA.utf8.count < wholeB.utf8.count }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
