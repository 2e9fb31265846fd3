// The order of values of one field, as lists and filters have it.

package enum ValueOrder {
  /// Whether one value comes before another; false for values that have no order between them.
  package static func precedes(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    case (.number(let a), .number(let b)): a < b
    case (.integer(let a), .number(let b)): Double(a) < b
    case (.number(let a), .integer(let b)): a < Double(b)
    case (.decimal(let a), .decimal(let b)): a < b
    case (.date(let a), .date(let b)): a < b
    case (.dateTime(let a), .dateTime(let b)): a < b
    // The order of SQLite's BINARY collation.
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.boolean(let a), .boolean(let b)): !a && b
    default: false
    }
  }
}
