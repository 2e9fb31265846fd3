// What the store refuses, as a sentence and a status.

internal import RecordStore
internal import Records
internal import Screens
internal import Wording

extension StoreError: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .unknownType, .hiddenType, .unread, .invalid, .unusableName, .searchTooLong, .losesValues:
      .usage
    case .unknownRecord, .unknownTransaction: .unknown
    case .changedSince, .modelChanged: .conflict
    case .missing, .gone, .exists, .notALibrary, .newer, .referred, .purged, .alreadyUndone,
      .readOnly, .unreadableWithoutWriting, .changedByOthers,
      .nothingToUndo, .attachmentMissing, .attachmentDamaged, .file, .sqlite, .damaged:
      .failed
    }
  }

  var sentence: String {
    let words = Words.system
    let store = words.store
    return switch self {
    case .missing(let path): store.missing(path)
    case .exists(let path): store.exists(path)
    case .notALibrary(let path): store.notALibrary(path)
    case .newer(let path, let format, let known): store.newer(path, format: format, known: known)
    case .unusableName(let name): store.unusableName(name)
    case .searchTooLong(let most): store.searchTooLong(wordsMax: most)
    case .unknownType(let type): store.unknownType(type.name)
    case .hiddenType(let type): store.hiddenType(type.name)
    case .gone(let path): store.gone(path)
    case .readOnly(let path): store.readOnly(path)
    case .unreadableWithoutWriting(let path): store.unreadableWithoutWriting(path)
    case .changedByOthers(let path): store.changedByOthers(path)
    case .unknownRecord(let type, let id):
      words.failure.unknownRecord(id.description, type: type.name)
    case .unknownTransaction(let number): words.failure.unknownTransaction(String(number))
    case .unread(let fields): store.unread(fields: fields.map(\.name))
    case .invalid(let problems): store.invalid(problems.map { words.clause(for: $0) })
    case .referred(let id, let references):
      store.referred(id.description, by: references.map(\.id.description))
    case .changedSince(let number): store.changedSince(number)
    case .purged(let number): store.purged(number)
    case .alreadyUndone(let number, let by): store.alreadyUndone(number, by: by)
    case .nothingToUndo: store.nothingToUndo
    case .losesValues(let losses): store.losesValues(losses.map(\.words))
    case .modelChanged: store.modelChanged
    case .attachmentMissing(let hash): store.attachmentMissing(hash)
    case .attachmentDamaged(let hash): store.attachmentDamaged(hash)
    case .file(let operation, let path, let code):
      store.file(path, operation: operation, reason: words.systemWords(code))
    case .sqlite(let code, let message): store.sqlite(code: Int(code), message: message)
    case .damaged(let what): store.damaged(what)
    }
  }
}

extension MigrationLoss {
  var words: String {
    Words.system.store.loss(field.map { "\(type).\($0)" } ?? "\(type)", records: records)
  }
}
