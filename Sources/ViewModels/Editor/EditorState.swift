// What a form shows, as values. Made by the sheets of an editor, drawn by Screens;
// no words in it.

package import Records
package import RecordStore

/// One of the records that are edited together.
package enum FormID: Sendable, Hashable {
  case main
  /// A related record that is saved in the same transaction.
  case related(DraftID)
}

/// A field of one of the forms.
package struct FieldPlace: Sendable, Hashable {
  package let form: FormID
  package let field: FieldID

  package init(form: FormID = .main, field: FieldID) {
    self.form = form
    self.field = field
  }
}

/// Why what stands in an input can't be saved.
package enum InputProblem: Sendable, Hashable {
  /// The text does not read as a value of the field's type.
  case unreadable(ValueMistake?)
  /// The model's constraints refuse the value.
  case refused(FieldProblem.Reason)
}

/// Whose value stands where both sides changed a field.
package enum Choice: Sendable, Hashable {
  case mine, theirs
}

/// Who changed a field underneath the form, and when.
package struct ChangeAuthor: Sendable, Hashable {
  package let author: String
  package let deviceName: String
  package let at: Timestamp
  package let origin: Origin
  package let transaction: Int64

  package init(_ entry: TransactionEntry) {
    author = entry.author
    deviceName = entry.deviceName
    at = entry.at
    origin = entry.origin
    transaction = entry.number
  }
}

/// A field whose record moved on since the form was opened.
package struct Drift: Sendable, Hashable {
  package let field: FieldID
  package let base: Value
  package let theirs: Value
  /// What stands in the form; nothing while its text does not read as a value.
  package let mine: Value?
  /// Both sides changed it, and it does not merge by itself: a save needs a ``Choice``.
  package let isContested: Bool
  package let by: ChangeAuthor?
  package let choice: Choice?
}

/// What happened to a record since its form was opened.
package enum Underneath: Sendable, Hashable {
  case changed([Drift])
  case inTrash
  /// Purged: nothing of it is left here.
  case gone
}

/// A record that a field points to.
package struct ResolvedReference: Sendable, Hashable {
  package let reference: RecordReference
  /// Nothing for a record that is gone.
  package let title: String?

  package init(reference: RecordReference, title: String?) {
    self.reference = reference
    self.title = title
  }
}

/// One input of a form.
package struct EditorField: Sendable, Hashable, Identifiable {
  package let field: Field
  package let input: DraftInput
  /// What the input shows: as it was typed, or the value as one would type it.
  package let text: String
  /// What the record says: the old value beside the new one.
  package let base: Value
  package let isChanged: Bool
  /// The records of a bulk edit differ here, and nobody has typed anything.
  package let isMixed: Bool
  /// Only after the field was left or a save was tried.
  package let problem: InputProblem?
  package let references: [ResolvedReference]
  /// What others changed in it since the form was opened.
  package let drift: Drift?

  package var id: FieldID { field.id }
}

/// The inputs of one record.
package struct EditorForm: Sendable, Hashable, Identifiable {
  package let id: FormID
  package let type: RecordType
  package let record: RecordID
  package let isNew: Bool
  package let isDirty: Bool
  package let fields: [EditorField]
  package let underneath: Underneath?

  package func field(_ id: FieldID) -> EditorField? { fields.first { $0.field.id == id } }
}

/// What the editor edits.
package enum EditorMode: Sendable, Hashable {
  case new, edit
  /// One form for several records: what is typed goes into all of them.
  case bulk(count: Int)
}

/// Why a save did not happen.
///
/// The form stays open and its text whole.
package enum Refusal: Sendable, Hashable {
  /// Texts that do not read as values.
  case unread([FieldPlace])
  /// Values that the model's constraints refuse.
  case invalid([FieldPlace])
  /// Fields that others changed differently meanwhile: choose for each.
  case conflict([FieldPlace])
  /// The record was deleted meanwhile.
  case gone(FormID, inTrash: Bool)
  /// The records of a bulk edit that stand in its way.
  case bulk(conflicts: [RecordID], gone: [RecordID])
  case failed(Failure)
}

/// How a form ended.
package enum Closing: Sendable, Hashable {
  /// - Parameter merged: Fields that others had changed too; both edits stand.
  case saved(transaction: Int64?, merged: [FieldID], records: [RecordReference])
  /// Saved with nothing to write.
  case unchanged
  case discarded
}

/// Where the editor is.
package enum EditorPhase: Sendable, Hashable {
  case editing
  case saving
  /// Behind another writer, in the words that it left in the lock.
  case waiting(behind: String)
  case closed(Closing)
}

/// All that an editor shows.
package struct EditorState: Sendable, Hashable {
  package var mode: EditorMode
  package var isRecovered: Bool
  package var phase = EditorPhase.editing
  /// The main form first, then those of related records.
  package var forms: [EditorForm] = []
  package var focus: FieldPlace?
  package var isDirty = false
  package var canUndo = false
  package var canRedo = false
  package var refusal: Refusal?
  /// Cancelling would drop what was typed: the person is asked.
  package var asksToDiscard = false
  /// Why the draft is not kept safe for the day of a crash.
  package var journalFailure: Failure?
  /// An intention beside saving that failed (attaching a file, reading related records).
  package var failure: Failure?

  package var main: EditorForm { forms[0] }
  package var type: RecordType { main.type }
  package var record: RecordID { main.record }
  package var underneath: Underneath? { main.underneath }

  package func form(_ id: FormID) -> EditorForm? { forms.first { $0.id == id } }
  package func field(_ place: FieldPlace) -> EditorField? {
    form(place.form)?.field(place.field)
  }
}
