// What is shown of one record, as values.

package import RecordStore
package import Records

/// One field of a shown record.
package struct FieldEntry: Sendable, Hashable, Identifiable {
  package let field: Field
  package let value: Value
  package let references: [ResolvedReference]
  /// What is wrong with a value that another device or an older model left.
  package let problem: FieldProblem.Reason?
  /// Writers disagree about it.
  package let isConflicted: Bool
  /// It is an attachment whose content has not arrived here.
  package let isContentMissing: Bool

  package var id: FieldID { field.id }
}

/// Records of one type that refer to the shown one.
package struct BackReferenceGroup: Sendable, Hashable, Identifiable {
  package let type: RecordType
  package let records: [ResolvedReference]

  package var id: TypeID { type.id }
}

/// A conflict of the shown record, with every side of it.
package struct ConflictEntry: Sendable, Hashable {
  /// Nothing for a deletion against an edit.
  package let field: Field?
  package let conflict: Conflict
  /// What the records are called that its sides point to.
  package let titles: [RecordReference: String]
}

/// Where the shown record is.
package enum RecordPhase: Sendable, Hashable {
  case loading
  case present
  case inTrash
  /// Purged, or never there.
  case gone
  case failed(Failure)
}

/// All that is shown of one record.
package struct RecordViewState: Sendable, Hashable {
  package let reference: RecordReference
  package var type: RecordType?
  package var phase = RecordPhase.loading
  /// What the record is called; nothing where its title field is empty.
  package var title: String?
  package var fields: [FieldEntry] = []
  package var backReferences: [BackReferenceGroup] = []
  /// There are more than are shown.
  package var hasMoreBackReferences = false
  package var conflicts: [ConflictEntry] = []
  package var isPending = false
  package var created: Timestamp?
  package var modified: Timestamp?
  /// Why the last intention failed.
  package var failure: Failure?

  package func field(_ id: FieldID) -> FieldEntry? { fields.first { $0.field.id == id } }
}
