// What can go wrong in the store, as data. Sentences for people are made in Wording.

package import Records

/// Why the store refused or failed.
///
/// Nothing was written when one of these is thrown.
package enum StoreError: Error, Sendable, Hashable {
  /// No library there.
  case missing(path: String)
  /// Something is there already.
  case exists(path: String)
  /// The library can be looked at here, and not be written.
  case readOnly(path: String)
  /// It can't be written here, and not be read without being written: what was saved last still
  /// stands in the WAL, or it is of an earlier Skyros.
  case unreadableWithoutWriting(path: String)
  /// It can't be written here, and somebody who can did meanwhile.
  case changedByOthers(path: String)
  /// The folder or the file of an open library was moved, deleted or replaced.
  case gone(path: String)
  /// A file is there that no Skyros wrote.
  case notALibrary(path: String)
  /// Written by a newer Skyros: its format, and the newest that this one knows.
  case newer(path: String, format: Int, known: Int)
  /// The model has two names that SQLite can't tell apart, or one that it keeps for itself.
  case unusableName(String)
  /// A search with more words than one query takes.
  case searchTooLong(wordsMax: Int)
  case unknownType(TypeID)
  /// The model has dropped the type; its records are kept, and nobody sees them.
  case hiddenType(TypeID)
  case unknownRecord(TypeID, RecordID)
  case unknownTransaction(Int64)
  /// Texts in the draft that do not read as values.
  case unread([FieldID])
  /// What a constraint of the model does not allow.
  case invalid([FieldProblem])
  /// Records that still refer to it, by a field whose rule is `deny`.
  case referred(RecordID, by: [RecordReference])
  /// Everything that the transaction did was changed again since.
  case changedSince(Int64)
  /// What it did can't be taken back: the records are purged.
  case purged(Int64)
  /// It was undone already, by this transaction.
  case alreadyUndone(Int64, by: Int64)
  case nothingToUndo
  /// A migration that loses values and was not told to.
  case losesValues([MigrationLoss])
  /// Another program changed the model meanwhile: make the change anew on top of that.
  case modelChanged
  /// The content of an attachment is not here, or not what its hash says.
  case attachmentMissing(hash: String)
  case attachmentDamaged(hash: String)
  /// A file of the operating system: what was tried, on what, and `errno`.
  case file(operation: String, path: String, code: Int32)
  /// SQLite: its extended result code and its words.
  case sqlite(code: Int32, message: String)
  /// The file says something that no Skyros wrote.
  case damaged(String)
}

extension StoreError {
  /// Whether the file itself is at fault, so that only another one in its place helps.
  package var isDamage: Bool {
    switch self {
    // SQLITE_CORRUPT, SQLITE_NOTADB and what extends them (rescode.html).
    case .sqlite(let code, _): code & 0xFF == 11 || code & 0xFF == 26
    case .damaged, .notALibrary: true
    default: false
    }
  }
}

/// A record, named by type and id.
package struct RecordReference: Sendable, Hashable {
  package let type: TypeID
  package let id: RecordID

  package init(type: TypeID, id: RecordID) {
    self.type = type
    self.id = id
  }
}

/// Values that a migration would lose.
package struct MigrationLoss: Sendable, Hashable {
  package let type: TypeID
  /// Nothing where the whole type goes.
  package let field: FieldID?
  /// How many records have a value that goes.
  package let records: Int

  package init(type: TypeID, field: FieldID?, records: Int) {
    self.type = type
    self.field = field
    self.records = records
  }
}
