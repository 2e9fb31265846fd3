// What the lists and everybody else hear of a commit.

package import Records

/// One committed transaction, by this process or another one.
package struct Commit: Sendable, Hashable {
  package enum Changes: Sendable, Hashable {
    /// Every changed record.
    case some([RecordReference: ChangeKind])
    /// Too many to name: any record of these types may have changed.
    case many(Set<TypeID>)
  }

  package let number: Int64
  package let origin: Origin
  /// Committed by this process.
  package let isOwn: Bool
  package let changes: Changes
  package let modelChanged: Bool

  /// Whether records of a type may have changed.
  package func touches(_ type: TypeID) -> Bool {
    switch changes {
    case .some(let records): records.keys.contains { $0.type == type }
    case .many(let types): types.contains(type)
    }
  }
}

/// The commits of this library, in order and each once.
final class CommitFeed: Sendable {
  let broadcast = Broadcast<Commit>()

  func end() { broadcast.end() }
}
