// What the frame around all screens shows of a library, as values.

package import RecordStore
package import Records

/// A record type and how many living records it has.
package struct TypeEntry: Sendable, Hashable, Identifiable {
  package let type: RecordType
  /// Nothing until it is counted.
  package let count: Int?

  package var id: TypeID { type.id }
}

/// A draft that a session left behind without saving or dropping it.
package struct RecoveredDraft: Sendable, Hashable, Identifiable {
  package let draft: Draft
  /// What the record is called: by the draft, or by what it was before.
  package let title: String?
  /// The fields that differ from the record as it was.
  package let changed: [FieldID]

  package var id: DraftID { draft.id }
  package var type: TypeID { draft.type }
  package var isNew: Bool { draft.isNew }
}

/// What came of the last intention, until the next.
package enum LibraryNotice: Sendable, Hashable {
  case undone(UndoResult)
  case failed(Failure)
  /// The record is not there any more.
  case gone(RecordReference)
}

/// All that is shown of a library as a whole.
package struct LibraryState: Sendable, Hashable {
  /// The folder's name without its ending; nothing for a library in memory.
  package var name: String?
  package var path: String?
  package var model: Model
  package var types: [TypeEntry] = []
  package var activity = WriterActivity.idle
  package var trashCount = 0
  package var conflictCount = 0
  package var recovered: [RecoveredDraft] = []
  package var notice: LibraryNotice?
}
