// Three-way merge of long text by lines (policy `lines`, invariant J5).
// A function of the siblings alone: every device that holds them computes the same text.

/// Merges texts that were written from one ancestor.
package enum LineMerge {
  /// The most lines of a text that are compared; longer ones clash as a whole.
  ///
  /// It bounds the time of a comparison that every read of a disputed record repeats.
  package static let linesMax = 4_000

  /// One run of a merged text.
  package enum Piece: Hashable, Sendable {
    /// Lines on which both sides agree, or which only one changed.
    case settled([ExactText])
    /// Lines that both changed, differently.
    case clash(mine: [ExactText], theirs: [ExactText])
  }

  /// Merges two texts with their common ancestor.
  package static func merge(base: String, mine: String, theirs: String) -> [Piece] {
    let ancestor = lines(base)
    let a = lines(mine)
    let b = lines(theirs)
    guard max(ancestor.count, a.count, b.count) <= linesMax else {
      return ExactText.isSame(mine, theirs) ? [.settled(a)] : [.clash(mine: a, theirs: b)]
    }
    let matchA = matches(from: ancestor, to: a)
    let matchB = matches(from: ancestor, to: b)
    var pieces: [Piece] = []
    var position = (base: 0, a: 0, b: 0)
    while true {
      var next = position.base
      while next < ancestor.count, matchA[next] == nil || matchB[next] == nil { next += 1 }
      let endA = next < ancestor.count ? matchA[next] ?? a.count : a.count
      let endB = next < ancestor.count ? matchB[next] ?? b.count : b.count
      append(
        base: ancestor[position.base..<next], a: a[position.a..<endA], b: b[position.b..<endB],
        to: &pieces)
      guard next < ancestor.count else { return pieces }
      pieces.append(.settled([ancestor[next]]))
      position = (next + 1, endA + 1, endB + 1)
    }
  }

  /// The text of the pieces, the given side in the clashes.
  package static func text(_ pieces: [Piece], takingMine: Bool) -> String {
    var all: [ExactText] = []
    for piece in pieces {
      switch piece {
      case .settled(let lines): all += lines
      case .clash(let mine, let theirs): all += takingMine ? mine : theirs
      }
    }
    return all.map(\.text).joined(separator: "\n")
  }

  /// What the siblings of a register settle to: merged in the order of their stamps, the later side
  /// shown where they clash.
  static func settle(_ siblings: [Sibling]) -> (value: Value, clashes: Bool) {
    let ascending = Array(siblings.reversed())
    guard let first = ascending.first else { return (.empty, false) }
    let base = plain(first.base ?? .empty)
    var merged = plain(first.value)
    var clashes = false
    for sibling in ascending.dropFirst() {
      // An empty base is a field written from nothing on both sides: nothing to merge by lines.
      guard !base.isEmpty || merged.isEmpty || sibling.value.isEmpty else {
        clashes = clashes || !ExactText.isSame(merged, plain(sibling.value))
        merged = plain(sibling.value)
        continue
      }
      let pieces = merge(base: base, mine: merged, theirs: plain(sibling.value))
      clashes = clashes || pieces.contains { if case .clash = $0 { true } else { false } }
      merged = text(pieces, takingMine: false)
    }
    return (.text(nonEmpty: merged), clashes)
  }

  private static func plain(_ value: Value) -> String {
    if case .text(let text) = value { text } else { "" }
  }

  /// The lines between line feeds; the bytes are split, since CR LF is one `Character`.
  private static func lines(_ text: String) -> [ExactText] {
    guard !text.isEmpty else { return [] }
    return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { ExactText(String(Substring($0))) }
  }

  /// For each line of `a` its partner in `b`, ascending, by a shortest edit script.
  private static func matches(from a: [ExactText], to b: [ExactText]) -> [Int?] {
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in b.difference(from: a) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var result: [Int?] = []
    var target = 0
    for index in a.indices {
      guard !removed.contains(index) else {
        result.append(nil)
        continue
      }
      while inserted.contains(target) { target += 1 }
      result.append(target)
      target += 1
    }
    return result
  }

  private static func append(
    base: ArraySlice<ExactText>, a: ArraySlice<ExactText>, b: ArraySlice<ExactText>,
    to pieces: inout [Piece]
  ) {
    if a.elementsEqual(b) {
      if !a.isEmpty { pieces.append(.settled(Array(a))) }
    } else if a.elementsEqual(base) {
      if !b.isEmpty { pieces.append(.settled(Array(b))) }
    } else if b.elementsEqual(base) {
      if !a.isEmpty { pieces.append(.settled(Array(a))) }
    } else {
      pieces.append(.clash(mine: Array(a), theirs: Array(b)))
    }
  }
}
