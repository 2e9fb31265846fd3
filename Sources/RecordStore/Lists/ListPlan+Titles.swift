// Lists that depend on other records: a reference sorts by what its target is called, and a filter may
// ask for that. A target that is renamed can move any row of such a list. Pure.

internal import Records

extension ListPlan {
  /// The types whose titles the filter, the order or the sections read.
  var titleTypes: Set<TypeID> {
    let sort = query.sort.isEmpty ? type.sort : query.sort
    let fields =
      sort.map(\.field) + [query.sections].compactMap(\.self) + (query.filter?.titleFields ?? [])
    return Set(fields.compactMap { type.field($0)?.type.target })
  }

  /// A commit as this list has to take it: where it touched a record that the list's titles come from,
  /// any row may have changed.
  func widened(_ commit: Commit) -> Commit {
    guard titleTypes.contains(where: commit.touches) else { return commit }
    return Commit(
      number: commit.number, origin: commit.origin, isOwn: commit.isOwn,
      changes: .many([type.id]), modelChanged: commit.modelChanged)
  }
}

extension Filter {
  /// The fields whose test may read the title of what they refer to.
  fileprivate var titleFields: [FieldID] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.titleFields)
    case .not(let part): part.titleFields
    case .words, .field(_, .isEmpty), .field(_, .isPresent), .field(_, .refers(.id)): []
    case .field(let field, _): [field]
    }
  }
}
