// What a commit does when the record moved since the draft began: a three-way merge of base, draft
// and current, field by field (DESIGN.md 3). Pure: the store reads, asks here, and writes.

/// What came of a commit.
package enum CommitOutcome: Sendable, Hashable {
  /// Written as the draft says.
  case applied
  /// Nothing differed: nothing was written.
  case unchanged
  /// Written; others had changed these fields meanwhile, and both edits stand.
  case merged([FieldID])
  /// Both changed these fields, differently. Nothing was written.
  case conflict([FieldConflict])
  /// The record was deleted or purged meanwhile. Nothing was written.
  case gone
}

/// A field that the draft and somebody else changed differently.
package struct FieldConflict: Sendable, Hashable {
  package let field: FieldID
  package let base: Value
  package let mine: Value
  package let theirs: Value

  package init(field: FieldID, base: Value, mine: Value, theirs: Value) {
    self.field = field
    self.base = base
    self.mine = mine
    self.theirs = theirs
  }
}

/// A draft's changes set against the record as it is now.
package struct DraftMerge: Sendable, Hashable {
  /// What to write.
  package private(set) var writes: [FieldID: Value] = [:]
  package private(set) var conflicts: [FieldConflict] = []
  /// What others changed since the draft began, ascending.
  package private(set) var drift: [FieldID] = []

  /// Merges a draft with the current record.
  ///
  /// A new draft whose record is there was saved already, or is somebody else's too. What it has been
  /// seeing nobody knows, so its values stand where the record has none, and conflict where it has
  /// others.
  ///
  /// - Parameters:
  ///   - draft: Its changes count; unread inputs have to be refused before.
  ///   - current: The record now.
  ///   - type: Tells how each field settles.
  package init(_ draft: Draft, onto current: Snapshot, type: RecordType) {
    let base = draft.base
    let changes = draft.changes
    for field in type.fields {
      let known = base == nil ? changes[field.id] : base?.value(of: field.id)
      let theirs = current.value(of: field.id)
      if theirs != known ?? .empty, base != nil || !theirs.isEmpty { drift.append(field.id) }
    }
    drift.sort()
    for (id, mine) in changes {
      guard let field = type.field(id) else { continue }
      let before = base?.value(of: id) ?? .empty
      let theirs = current.value(of: id)
      let policy = base == nil ? .latest : field.merge
      switch Self.merge(before, mine: mine, theirs: theirs, policy: policy) {
      case .some(let value):
        if value != theirs { writes[id] = value }
      case .none:
        conflicts.append(FieldConflict(field: id, base: before, mine: mine, theirs: theirs))
      }
    }
    conflicts.sort { $0.field < $1.field }
  }

  /// One field; nothing where both sides changed it and can't both have their way.
  static func merge(_ base: Value, mine: Value, theirs: Value, policy: MergePolicy) -> Value? {
    if theirs == base { return mine }
    if mine == base { return theirs }
    // Two that counted one each counted two: equal sums are not the same edit.
    if mine == theirs && policy != .sum { return mine }
    switch policy {
    case .latest: return nil
    case .union: return mergeElements(base, mine: mine, theirs: theirs)
    case .sum:
      let counts = [base, mine, theirs].map(RecordState.count)
      let own = counts[1].subtractingReportingOverflow(counts[0])
      let sum = counts[2].addingReportingOverflow(own.partialValue)
      return own.overflow || sum.overflow ? nil : .integer(sum.partialValue)
    case .lines:
      guard case .text(let mine) = mine, case .text(let theirs) = theirs else { return nil }
      let ancestor = if case .text(let text) = base { text } else { "" }
      guard !ancestor.isEmpty else { return nil }
      let pieces = LineMerge.merge(base: ancestor, mine: mine, theirs: theirs)
      let clashes = pieces.contains { if case .clash = $0 { true } else { false } }
      return clashes ? nil : .text(nonEmpty: LineMerge.text(pieces, takingMine: true))
    }
  }

  private static func mergeElements(_ base: Value, mine: Value, theirs: Value) -> Value {
    let before = Set(RecordState.elements(of: base))
    let own = Set(RecordState.elements(of: mine))
    var result = Set(RecordState.elements(of: theirs))
    result.formUnion(own.subtracting(before))
    result.subtract(before.subtracting(own))
    if case .references = mine {
      return .references(sorted: result.compactMap { RecordID($0.text) })
    }
    if case .references = theirs {
      return .references(sorted: result.compactMap { RecordID($0.text) })
    }
    return .tags(nonEmpty: TagSet(exact: result))
  }
}
