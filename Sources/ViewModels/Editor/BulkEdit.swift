// Editing several records in one form: a stand-in for all of them is edited, and what was typed
// into it goes into a draft of each. Pure.

internal import Records

/// The form of several records at once.
enum BulkEdit {
  /// Stands for values that differ among the records, until something is typed.
  ///
  /// No field can hold it (text values come from texts that people type or files hold, and the
  /// stand-in is never committed), and only changed fields leave the stand-in.
  static let mixed = Value.text("\u{0}mixed\u{0}")

  /// The type with the fields that several records can be given at once: no two of them can have the
  /// value of one that is unique.
  static func shared(_ type: RecordType) -> RecordType {
    var type = type
    type.fields.removeAll { $0.unique || $0.id == type.key }
    return type
  }

  /// The stand-in: the values that all records share.
  static func standIn(for records: [Snapshot], of type: RecordType) -> Snapshot? {
    guard let first = records.first else { return nil }
    var shared: [FieldID: Value] = [:]
    for field in type.visibleFields {
      let value = first.value(of: field.id)
      let isShared = records.dropFirst().allSatisfy { $0.value(of: field.id) == value }
      if isShared {
        if !value.isEmpty { shared[field.id] = value }
      } else {
        shared[field.id] = mixed
      }
    }
    return Snapshot(
      type: type.id, id: first.id, fields: shared, state: RecordState(), created: first.created,
      modified: first.modified, isDeleted: false, isPending: false)
  }

  /// A draft of each record with what was typed into the stand-in; none where nothing would change.
  ///
  /// The first one goes under the stand-in's id: its commit takes the stand-in out of the journal.
  static func drafts(
    of standIn: Draft, for records: [Snapshot], newID: () -> DraftID
  ) -> [Draft] {
    var isFirst = true
    return records.compactMap { record in
      var draft = Draft(id: isFirst ? standIn.id : newID(), editing: record)
      for (field, value) in standIn.changes { draft.set(value, of: field) }
      guard !draft.changedFields.isEmpty else { return nil }
      isFirst = false
      return draft
    }
  }
}
