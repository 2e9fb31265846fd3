// What the store refuses, as a sentence and a status.

internal import RecordStore
internal import Records

extension StoreError: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .unknownType, .unread, .invalid, .unusableName, .losesValues: .usage
    case .unknownRecord, .unknownTransaction: .unknown
    case .changedSince, .modelChanged: .conflict
    case .missing, .exists, .notALibrary, .newer, .referred, .alreadyUndone, .nothingToUndo,
      .attachmentMissing, .attachmentDamaged, .file, .sqlite, .damaged:
      .failed
    }
  }

  var sentence: String {
    switch self {
    case .missing(let path):
      "There is no library at '\(path)'. Make one with: skyros new '\(path)'"
    case .exists(let path): "There is something at '\(path)' already: nothing was changed."
    case .notALibrary(let path): "'\(path)' was not written by Skyros: nothing was changed."
    case .newer(let path, let format, let known):
      "'\(path)' was written by a newer Skyros (format \(format), this one knows \(known)): "
        + "install that version to open it."
    case .unusableName(let name): "The name '\(name)' can't be used: take another one."
    case .unknownType(let type): "There is no type '\(type)' in this library."
    case .unknownRecord(let type, let id): "There is no \(type) with the id '\(id)'."
    case .unknownTransaction(let number): "There is no transaction \(number)."
    case .unread(let fields): "The text of \(list(fields.map(\.name))) can't be read as a value."
    case .invalid(let problems):
      "Nothing was written: " + problems.map(\.words).joined(separator: "; ") + "."
    case .referred(let id, let references):
      "\(id) can't be deleted: \(references.count == 1 ? "a record refers" : "records refer") "
        + "to it (\(shortened(list(references.map(\.id.description)))))."
    case .changedSince(let number):
      "Everything in transaction \(number) was changed again since: nothing was undone."
    case .alreadyUndone(let number, let by):
      "Transaction \(number) was undone already, by transaction \(by)."
    case .nothingToUndo: "There is nothing to undo."
    case .losesValues(let losses):
      "This would lose values: \(list(losses.map(\.words))). Say --lose-values to do it."
    case .modelChanged:
      "Somebody changed the model meanwhile: nothing was written. Look, and apply it again."
    case .attachmentMissing(let hash): "The content of an attachment is missing (\(hash))."
    case .attachmentDamaged(let hash):
      "The content of an attachment is not what was attached (\(hash))."
    case .file(let operation, let path, let code):
      "Can't \(operation) '\(path)': \(skyros.words(of: code))."
    case .sqlite(let code, let message): "The library's file failed: \(message) (\(code))."
    case .damaged(let what): "The library is damaged: \(what). Try: skyros doctor"
    }
  }
}

extension MigrationLoss {
  var words: String {
    let what = field.map { "\(type).\($0)" } ?? "\(type)"
    return "\(what) in \(records) \(records == 1 ? "record" : "records")"
  }
}
