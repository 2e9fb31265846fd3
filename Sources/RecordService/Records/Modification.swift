// records/modify inside one transaction: each operation's rule, in order.
//
// An operation checks everything before it writes anything, so that a failed one leaves no trace
// and the others go on. An atomic batch with a failure throws `AtomicFailure`, which undoes the
// transaction and carries the answer.

internal import CloudKitWire

/// What became of one operation.
enum ModifyOutcome {
  case record(StoredRecord)
  case deleted(String)
  case failure(ServiceError, standing: StoredRecord?)
}

/// Undoes the transaction of an atomic batch.
struct AtomicFailure: Error {
  var outcomes: [ModifyOutcome]
}

/// What the transaction needs to know, gathered before it begins.
struct ModifyContext {
  var caller: Caller
  var database: DatabaseKey
  var zoneName: String
  var isAtomic: Bool
  var milliseconds: Int64
  var quotaBytes: Int64?
  /// The name of each operation's record; made up where it came without one.
  var names: [String]
  /// Whether the request left it to its records to say the zone: then all have to say the same.
  var isZoneOfRecords: Bool
  /// Whether the receipt is one that this service gave for that file in that database.
  var isReceipt: @Sendable (WireAsset) -> Bool
}

struct Modification {
  private let storage: any StorageWriting
  private let context: ModifyContext
  private let operations: [RecordOperation]
  private let zone: StoredZone
  private let epoch: Epoch
  private var sequence: Int64
  private var bytes: Int64 = 0
  private var bytesLeft: Int64?
  private var schemas: [String: FieldSchema] = [:]
  private var indexes: [String: [StoredIndex]] = [:]
  private(set) var events: [RecordEvent] = []
  /// Names that operations of this batch have touched or will touch, with whether they delete.
  private var planned: [ExactName: OperationType] = [:]

  init(
    _ operations: [RecordOperation], _ context: ModifyContext, zone: StoredZone,
    storage: any StorageWriting
  ) throws {
    self.operations = operations
    self.context = context
    self.zone = zone
    self.storage = storage
    epoch = try storage.epoch()
    sequence = zone.sequence
    if let quota = context.quotaBytes, context.database.scope == .private {
      bytesLeft = quota - (try storage.usedBytes(of: context.database.owner))
    }
  }

  /// Runs all operations; throws `AtomicFailure`, or the storage's own errors.
  mutating func run() throws -> [ModifyOutcome] {
    var outcomes: [ModifyOutcome] = []
    outcomes.reserveCapacity(operations.count)
    var seen: Set<ExactName> = []
    var failed = false
    if context.isAtomic {
      for (operation, name) in zip(operations, context.names) {
        planned[ExactName(name)] = operation.type
      }
    }
    for (operation, name) in zip(operations, context.names) {
      do {
        guard seen.insert(ExactName(name)).inserted else {
          throw ServiceError(.badRequest, "A record can be in one operation of a request only.")
        }
        outcomes.append(try perform(operation, on: name))
      } catch var error as ServiceError {
        error.recordName = name
        failed = true
        let standing =
          error.code == .conflict || error.code == .exists
          ? try storage.record(named: name, in: zone.number) : nil
        outcomes.append(.failure(error, standing: standing))
      }
    }
    if failed, context.isAtomic { throw AtomicFailure(outcomes: innocent(outcomes)) }
    if sequence > zone.sequence {
      try storage.advance(zone, to: sequence, bytes: bytes, in: context.database)
    }
    return outcomes
  }

  /// The guilty keep their code; what would have been done failed with them.
  private func innocent(_ outcomes: [ModifyOutcome]) -> [ModifyOutcome] {
    zip(outcomes, context.names).map { outcome, name in
      if case .failure = outcome { return outcome }
      var error = ServiceError(.atomicError, "Atomic failure")
      error.recordName = name
      return .failure(error, standing: nil)
    }
  }

  private mutating func perform(
    _ operation: RecordOperation, on name: String
  ) throws -> ModifyOutcome {
    let record = operation.record
    guard let type = operation.type else {
      throw ServiceError(.badRequest, "The operationType is not one of the protocol.")
    }
    if let fault = record.fault { throw ServiceError(.badRequest, fault) }
    guard NameRules.isRecordName(name) else {
      throw ServiceError(.badRequest, "A recordName has 1 to 255 printable bytes.")
    }
    let ownZone = record.zoneID?.zoneName ?? ZoneID.defaultName
    guard !context.isZoneOfRecords || ownZone.isExactly(context.zoneName) else {
      throw ServiceError(.badRequest, "A request changes the records of one zone.")
    }
    guard record.parent.map(NameRules.isRecordName) ?? true else {
      throw ServiceError(.badRequest, "The parent's recordName has 1 to 255 printable bytes.")
    }
    guard record.recordName != nil || type == .create else {
      throw ServiceError(.badRequest, "\(type.rawValue) needs a recordName.")
    }
    let found = try storage.record(named: name, in: zone.number)
    let standing = found.flatMap { $0.isDeleted ? nil : $0 }
    try checkTag(type, record.recordChangeTag, standing)
    try checkRights(standing, name)
    if type.isDelete {
      // Forced, what is not there is deleted already.
      if let standing { try delete(standing) }
      return .deleted(name)
    }
    return .record(try write(operation.record, type, name: name, standing: standing))
  }

  /// The rule of each operation about the record that is there.
  private func checkTag(
    _ type: OperationType, _ tag: String?, _ standing: StoredRecord?
  ) throws {
    if type == .create {
      guard standing == nil else {
        throw ServiceError(.exists, "record to insert already exists")
      }
      return
    }
    guard type.needsTag else { return }
    guard let standing else {
      throw ServiceError(
        .notFound,
        tag == nil
          ? "record not found" : "recordChangeTag specified, but record not found")
    }
    guard let tag, !tag.isEmpty else {
      throw ServiceError(.badRequest, "\(type.rawValue) needs the recordChangeTag of the record.")
    }
    guard tag == standing.changeTag else {
      throw ServiceError(.conflict, "client oplock error updating record")
    }
  }

  /// In public, everybody signed in may create, and only the maker may change.
  private func checkRights(_ standing: StoredRecord?, _ name: String) throws {
    guard context.database.scope == .public, case .user = context.caller.kind else { return }
    guard let standing else { return }
    let isHis =
      standing.createdBy == context.caller.recordName || name == context.caller.recordName
    guard isHis else {
      throw ServiceError(.accessDenied, "The record belongs to somebody else.")
    }
  }
}

// MARK: - Writing

extension Modification {
  private mutating func write(
    _ record: WireRecord, _ type: OperationType, name: String, standing: StoredRecord?
  ) throws -> StoredRecord {
    let recordType = try recordType(of: record, standing)
    let fields = try merged(
      record, recordType, replacing: type.isReplace || standing == nil, name, standing)
    let links = try RecordLinks(fields, in: zone, isReceipt: context.isReceipt) { digest in
      guard standing?.hasAssets == true else { return nil }
      return try storage.assetUses(of: name, in: zone.number).first { $0.digest == digest }
    }
    let text = StoredFields.write(links.fields)
    let weight = links.fields.reduce(0) { sum, field in
      sum + field.key.utf8.count + (field.value.value?.byteCount ?? 0)
    }
    guard weight <= WireLimits.recordBytesMax else {
      throw ServiceError(
        .badRequest,
        "The record has \(weight) bytes; \(WireLimits.recordBytesMax) are the limit. "
          + "Put long values into assets.")
    }
    try checkTargets(links.pointers, of: name)
    let size = Int64(text.utf8.count) + links.assets.reduce(0) { $0 + $1.bytes }
    try charge(size - (standing?.bytes ?? 0))

    sequence += 1
    let stored = StoredRecord(
      name: name, type: recordType, sequence: sequence, tag: epoch.tag(sequence), fields: text,
      hasAssets: !links.assets.isEmpty,
      parent: record.mentionsParent ? record.parent : standing?.parent,
      createdAt: standing?.createdAt ?? context.milliseconds,
      createdBy: standing?.createdBy ?? context.caller.recordName,
      modifiedAt: context.milliseconds, modifiedBy: context.caller.recordName,
      isDeleted: false, bytes: size)
    try storage.save(stored, in: zone.number)
    if !links.pointers.isEmpty || standing != nil {
      try storage.setPointers(links.pointers, of: name, in: zone.number)
    }
    if !links.assets.isEmpty || standing?.hasAssets == true {
      try storage.setAssetUses(links.assets, of: name, in: zone.number)
    }
    try storeSchema(of: recordType)
    try index(name, recordType, from: standing, to: links.fields)
    events.append(RecordEvent(kind: standing == nil ? .create : .update, record: stored))
    return stored
  }

  private func recordType(of record: WireRecord, _ standing: StoredRecord?) throws -> String {
    if let standing {
      if let type = record.recordType, type != standing.type {
        throw ServiceError(
          .badRequest, "The record is of type '\(standing.type)', which can't be changed.")
      }
      return standing.type
    }
    guard let type = record.recordType, !type.isEmpty else {
      throw ServiceError(.badRequest, "A new record needs its recordType.")
    }
    if type.hasPrefix("cloudkit.") {
      throw ServiceError(.accessDenied, "This service does not offer sharing.")
    }
    if type == "Users" {
      throw ServiceError(.accessDenied, "Records of type 'Users' are made by the service.")
    }
    guard NameRules.isIdentifier(type) else {
      throw ServiceError(.badRequest, "'\(type.prefix(64))' is no name for a record type.")
    }
    return type
  }

  /// The fields after the operation: those there were, unless replaced, under those that came.
  private mutating func merged(
    _ record: WireRecord, _ recordType: String, replacing: Bool, _ name: String,
    _ standing: StoredRecord?
  ) throws -> [String: WireField] {
    var schema =
      try schemas[recordType]
      ?? FieldSchema(
        recordType: recordType, types: storage.fieldTypes(of: recordType, in: zone.number))
    var fields: [String: WireField] = [:]
    if !replacing, let standing { fields = StoredFields.read(standing.fields) }
    for (name, field) in record.fields {
      let settled = try schema.settle(name, field)
      fields[name] = settled.value == nil ? nil : settled
    }
    guard fields.count <= WireLimits.fieldsPerRecordMax else {
      throw ServiceError(
        .badRequest, "A record has at most \(WireLimits.fieldsPerRecordMax) fields.")
    }
    schemas[recordType] = schema
    return fields
  }

  private mutating func storeSchema(of recordType: String) throws {
    guard var schema = schemas[recordType] else { return }
    for (field, type) in schema.stored() {
      try storage.setFieldType(type, of: field, type: recordType, in: zone.number)
    }
    schemas[recordType] = schema
  }

  /// Keeps the indexes of the type true of the record.
  private mutating func index(
    _ name: String, _ recordType: String, from standing: StoredRecord?,
    to fields: [String: WireField]
  ) throws {
    let all = try indexes[recordType] ?? storage.indexes(of: recordType, in: zone.number)
    indexes[recordType] = all
    let indexes = all.filter { $0.covers(name) }
    guard !indexes.isEmpty else { return }
    let before = standing.map { StoredFields.read($0.fields, only: Set(indexes.map(\.field))) }
    for index in indexes {
      let old = before?[index.field]?.value.flatMap { IndexedValue($0) }
      let new = fields[index.field]?.value.flatMap { IndexedValue($0) }
      guard old != new else { continue }
      if let old { try storage.drop(old, of: name, in: index.number) }
      if let new { try storage.note(new, of: name, in: index.number) }
    }
  }

  private mutating func charge(_ difference: Int64) throws {
    if let left = bytesLeft {
      guard difference <= 0 || difference <= left else {
        throw ServiceError(.quotaExceeded, "The user's storage is full.")
      }
      bytesLeft = left - difference
    }
    bytes += difference
  }

  /// VALIDATE: the target is there, or comes in the same atomic batch.
  ///
  /// DELETE_SELF: a target has so many sources at most.
  private func checkTargets(_ pointers: [StoredPointer], of name: String) throws {
    for pointer in pointers {
      if pointer.action == .validate, !pointer.target.isExactly(name), try !exists(pointer.target) {
        throw ServiceError(
          .validatingReferenceError,
          "The field '\(pointer.field)' refers to the record '\(pointer.target)', which is not "
            + "there.")
      }
      guard pointer.action == .deleteSelf else { continue }
      let sources = try storage.sources(
        of: pointer.target, in: zone.number, action: .deleteSelf,
        limit: WireLimits.deleteSelfSourcesMax + 1)
      let others = Set(sources.map { ExactName($0.record) }).subtracting([ExactName(name)]).count
      guard others < WireLimits.deleteSelfSourcesMax else {
        throw ServiceError(
          .badRequest,
          "The record '\(pointer.target)' has \(WireLimits.deleteSelfSourcesMax) records that are "
            + "deleted with it; more are not allowed.")
      }
    }
  }

  private func exists(_ name: String) throws -> Bool {
    if let plan = planned[ExactName(name)] { return !plan.isDelete }
    return try storage.record(named: name, in: zone.number).map { !$0.isDeleted } ?? false
  }
}

// MARK: - Deleting

extension Modification {
  /// Deletes the record and what goes with it (DELETE_SELF), unless something holds on to one of
  /// them (VALIDATE).
  private mutating func delete(_ record: StoredRecord) throws {
    var doomed = [record]
    var names: Set<ExactName> = [ExactName(record.name)]
    var index = 0
    while index < doomed.count {
      let target = doomed[index].name
      index += 1
      for source in try storage.sources(
        of: target, in: zone.number, action: .deleteSelf, limit: .max)
      where names.insert(ExactName(source.record)).inserted {
        guard let found = try storage.record(named: source.record, in: zone.number),
          !found.isDeleted
        else { continue }
        doomed.append(found)
      }
    }
    for target in doomed {
      for source in try storage.sources(
        of: target.name, in: zone.number, action: .validate, limit: .max)
      where !names.contains(ExactName(source.record))
        && planned[ExactName(source.record)]?.isDelete != true
      {
        throw ServiceError(
          .validatingReferenceError,
          "The record '\(target.name)' can't be deleted: the field '\(source.field)' of the record "
            + "'\(source.record)' refers to it.")
      }
    }
    for record in doomed { try bury(record) }
  }

  private mutating func bury(_ record: StoredRecord) throws {
    sequence += 1
    bytes -= record.bytes
    bytesLeft = bytesLeft.map { $0 + record.bytes }
    var tombstone = record
    tombstone.sequence = sequence
    tombstone.tag = epoch.tag(sequence)
    tombstone.fields = "{}"
    tombstone.hasAssets = false
    tombstone.parent = nil
    tombstone.modifiedAt = context.milliseconds
    tombstone.modifiedBy = context.caller.recordName
    tombstone.isDeleted = true
    tombstone.bytes = 0
    try storage.save(tombstone, in: zone.number)
    try storage.setPointers([], of: record.name, in: zone.number)
    try index(record.name, record.type, from: record, to: [:])
    if record.hasAssets { try storage.setAssetUses([], of: record.name, in: zone.number) }
    events.append(RecordEvent(kind: .delete, record: record))
  }
}
