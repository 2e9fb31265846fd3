// How a length is shared among panes or columns. Pure.

/// What one pane or column asks for, in cells.
package struct Share: Hashable, Sendable {
  /// Below this it is left out altogether.
  package var minimum: Int
  package var maximum: Int
  /// Its part of what is left when all have their minimum.
  package var weight: Int
  /// When room is short, the lowest priority goes first; of equals the last.
  package var priority: Int

  package init(minimum: Int, maximum: Int = .max, weight: Int = 1, priority: Int = 0) {
    self.minimum = max(0, minimum)
    self.maximum = max(minimum, maximum)
    self.weight = max(0, weight)
    self.priority = priority
  }

  package static func fixed(_ length: Int, priority: Int = 0) -> Share {
    Share(minimum: length, maximum: length, weight: 0, priority: priority)
  }

  /// Lengths for all shares in their order, with `gap` cells between those that are not 0.
  ///
  /// The sum of lengths and gaps never exceeds `total`. A share that does not get its minimum
  /// gets 0; but the last one left takes what there is.
  package static func distribute(_ shares: [Share], over total: Int, gap: Int = 0) -> [Int] {
    var alive = Array(shares.indices)
    func needed() -> Int {
      alive.reduce(0) { $0 + shares[$1].minimum } + gap * max(0, alive.count - 1)
    }
    while alive.count > 1, needed() > total {
      let victim = alive.reversed().min { shares[$0].priority < shares[$1].priority }
      alive.removeAll { $0 == victim }
    }
    var lengths = Array(repeating: 0, count: shares.count)
    for index in alive { lengths[index] = shares[index].minimum }
    if alive.count == 1, let only = alive.first {
      lengths[only] = max(0, min(total, shares[only].weight == 0 ? shares[only].minimum : total))
      lengths[only] = min(lengths[only], shares[only].maximum)
      return lengths
    }
    var left = total - needed()
    var growing = alive.filter { shares[$0].weight > 0 && lengths[$0] < shares[$0].maximum }
    while left > 0, !growing.isEmpty {
      let weights = growing.reduce(0) { $0 + shares[$1].weight }
      let round = left
      for index in growing {
        let part = max(1, round * shares[index].weight / weights)
        let grown = min(part, left, shares[index].maximum - lengths[index])
        lengths[index] += grown
        left -= grown
      }
      growing.removeAll { lengths[$0] >= shares[$0].maximum }
    }
    return lengths
  }
}
