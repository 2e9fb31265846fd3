// Where rows went when a list changed. Pure.

package import RecordStore

/// Old positions as new ones, for one change of a list.
///
/// A change first takes rows out (those removed, and those that moved), then puts rows in (those
/// inserted, and the moved ones at their new places).
package struct RowPositions: Sendable {
  /// New positions of rows that moved, by their old ones.
  private let moves: [Int: Int]
  private let removed: Set<Int>
  /// Old positions of all that were taken out, ascending.
  private let left: [Int]
  /// New positions of all that were put in, ascending.
  private let arrived: [Int]

  package init(_ diff: ListDiff) {
    moves = Dictionary(diff.moved.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    removed = Set(diff.removed)
    left = (diff.removed + diff.moved.map(\.from)).sorted()
    arrived = (diff.inserted + diff.moved.map(\.to)).sorted()
  }

  /// The new position of the row that was at `old`; nothing if it left the list.
  package func position(of old: Int) -> Int? {
    if let moved = moves[old] { return moved }
    return removed.contains(old) ? nil : settled(old)
  }

  /// Where a cursor goes: with its row, or, if that left, to the row that took its place.
  package func place(of old: Int) -> Int { position(of: old) ?? settled(old) }

  private func settled(_ old: Int) -> Int {
    let base = old - Self.first(in: 0..<left.count) { left[$0] >= old }
    // As many rows were put in before it as `count`, the least for which the next one lies behind.
    return base + Self.first(in: 0..<arrived.count) { arrived[$0] > base + $0 }
  }

  /// The first index for which a condition holds that holds for all after it; the end if none.
  private static func first(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
