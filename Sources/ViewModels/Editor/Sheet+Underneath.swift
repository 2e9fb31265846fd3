// What a sheet makes of a record that moved on: which fields, contested or not, whose value stands,
// and the draft that a save hands to the store. Pure.

internal import Records

extension Sheet {
  /// The fields that others changed since the draft began, in the order of the form.
  func drifts() -> [Drift] {
    guard case .moved(let newer) = latest else { return [] }
    let merge = DraftMerge(draft, onto: newer, type: type)
    let contested = Set(merge.conflicts.map(\.field))
    return type.visibleFields.filter { merge.drift.contains($0.id) }.map { field in
      let isUnread = draft.value(of: field.id) == nil
      return Drift(
        field: field.id, base: draft.base?.value(of: field.id) ?? .empty,
        theirs: newer.value(of: field.id), mine: draft.value(of: field.id),
        isContested: isUnread || contested.contains(field.id), by: authors[field.id],
        choice: choices[field.id])
    }
  }

  /// The contested fields that nobody has decided yet.
  var undecided: [FieldID] { drifts().filter { $0.isContested && $0.choice == nil }.map(\.field) }

  mutating func takeTheirs(_ field: FieldID) {
    guard case .moved(let newer) = latest else { return }
    set(newer.value(of: field), of: field)
    choices[field] = .theirs
  }

  mutating func keepMine(_ field: FieldID) { choices[field] = .mine }

  /// The draft with the person's choices in it: what they keep overwrites knowingly, what merges by
  /// itself is merged, and everything else is as the record is now.
  ///
  /// While a field is contested and undecided, the draft stays on its old base, so that the store
  /// refuses it.
  func settledDraft() -> Draft {
    guard case .moved(let newer) = latest, undecided.isEmpty else { return draft }
    let merge = DraftMerge(draft, onto: newer, type: type)
    let contested = Set(merge.conflicts.map(\.field))
    var settled = draft
    let changed = draft.changes
    for field in changed.keys where !contested.contains(field) && choices[field] != .mine {
      settled.set(merge.writes[field] ?? newer.value(of: field), of: field)
    }
    settled.rebase(onto: newer)
    for field in merge.drift where choices[field] == .mine && changed[field] == nil {
      settled.set(draft.base?.value(of: field) ?? .empty, of: field)
    }
    return settled
  }

  /// Takes over what the store says of the record now.
  mutating func observe(_ snapshot: Snapshot?, authors: [FieldID: ChangeAuthor] = [:]) {
    let before = drifts()
    guard let snapshot else {
      latest = draft.isNew ? .unmoved : .gone
      return
    }
    if snapshot.isDeleted {
      latest = .inTrash
    } else if snapshot.fields == draft.base?.fields {
      latest = .unmoved
    } else {
      latest = .moved(snapshot)
    }
    self.authors = authors
    // A choice was made between two values: another of theirs asks again.
    let after = drifts()
    choices = choices.filter { choice in
      let theirs = after.first { $0.field == choice.key }?.theirs
      return theirs != nil && theirs == before.first { $0.field == choice.key }?.theirs
    }
  }
}
