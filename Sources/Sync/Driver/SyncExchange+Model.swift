// The model of a library on the service: one reserved record a type, whose registers are joined like
// those of any record. A library takes over what other devices changed, and writes down what was
// changed here since it looked last.

internal import CloudKitWire
internal import ModelFile
internal import RecordStore
internal import Records

/// The reserved records.
enum TypeRecord {
  static let recordType = "SkyrosType"
  /// The type for people and other programs; nothing reads it back.
  static let textField = "yaml"
  private static let prefix = "skyros.type."

  static func name(of type: TypeID) -> String { prefix + type.name }

  static func type(named name: String?) -> TypeID? {
    guard let name, name.hasPrefix(prefix) else { return nil }
    return TypeID(String(name.dropFirst(prefix.count)))
  }

  static func state(of record: WireRecord) -> RecordState? {
    guard case .bytes(let bytes) = record.fields[CausalBytes.fieldName]?.value else { return nil }
    do { return try StateCodec.whole(reading: bytes) } catch { return nil }
  }
}

extension SyncExchange {
  /// Rounds of fetching, joining and sending again, before the rest waits for the next run.
  private static let modelRoundsMax = 4

  // MARK: Out

  /// Sends what this library changed in its model; a type travels before its records.
  ///
  /// Costs a comparison while nothing changed. Answers what stood in the way.
  func shareModel(didMove: inout Bool) async throws -> Answer? {
    try await writeDownModel()
    try await writeDownName()
    for _ in 0..<Self.modelRoundsMax {
      let pending = try await library.shapes().filter(\.isPending)
      guard !pending.isEmpty else { return nil }
      switch await client.modify(pending.map(operation)) {
      case .failure(let answer): return Self.refusal(ofModel: answer)
      case .message(let response, _):
        didMove = true
        if let answer = try await settle(pending, response.records) { return answer }
      }
    }
    return nil
  }

  /// Whether a change of the model waits to be sent.
  func hasModelToShare() async throws -> Bool {
    if try await library.syncSettings()?.model != library.model.syncDigest { return true }
    return try await library.hasPendingShapes()
  }

  /// What a refused model means for the run: it stops, for no record is at fault.
  private static func refusal(ofModel answer: Answer) -> Answer {
    switch OutcomeTable.outcome(of: answer.kind, at: .record) {
    case .park, .shrink: Answer(.unexpectedStatus, detail: "the model: \(answer.kind.word)")
    default: answer
    }
  }

  private func operation(_ shape: SharedShape) -> RecordOperation {
    var record = WireRecord(
      recordName: TypeRecord.name(of: shape.type), recordType: TypeRecord.recordType,
      recordChangeTag: shape.tag)
    record.fields[CausalBytes.fieldName] = .bytes(StateCodec.whole(shape.state))
    if let type = library.model.type(shape.type) {
      record.fields[TypeRecord.textField] = .string(ModelFile.text(of: Model(types: [type])))
    }
    return RecordOperation(shape.tag == nil ? .create : .update, record)
  }

  private func settle(
    _ sent: [SharedShape], _ results: [RecordResult]
  ) async throws -> Answer? {
    var byName: [String: RecordResult] = [:]
    for result in results {
      switch result {
      case .record(let record): byName[record.recordName ?? ""] = result
      case .failure(let error): byName[error.recordName ?? ""] = result
      }
    }
    var moved: [String] = []
    var stop: Answer?
    for shape in sent {
      let name = TypeRecord.name(of: shape.type)
      switch byName[name] {
      case .record(let record):
        try await library.acknowledge(shape, tag: record.recordChangeTag)
      case .failure(let error):
        let answer = Answer(error)
        switch OutcomeTable.outcome(of: answer.kind, at: .record) {
        case .join: moved.append(name)
        case .create:
          var again = shape
          again.tag = nil
          try await library.keep([again])
        default: stop = Self.refusal(ofModel: answer)
        }
      case nil: stop = Answer(.missing)
      }
    }
    if !moved.isEmpty {
      switch await client.lookup(moved) {
      case .failure(let answer): return answer
      case .message(let response, _):
        try await takeModel(response.records.compactMap(\.living))
      }
    }
    return stop
  }

  // MARK: In

  /// Takes over what other devices changed in the model; what was held back for it comes with it.
  func takeModel(_ records: [WireRecord]) async throws {
    guard !records.isEmpty else { return }
    for attempt in 1... {
      do {
        if try await takeOver(records) { try await takeHeld() }
        return
      } catch StoreError.modelChanged where attempt < Self.modelRoundsMax {
        continue
      }
    }
  }

  /// Answers whether the model is another one now.
  private func takeOver(_ records: [WireRecord]) async throws -> Bool {
    // What was changed here comes first: it is a write of its own, not a thing to be replaced.
    try await writeDownModel()
    let known = library.model
    var shapes: [TypeID: SharedShape] = [:]
    for shape in try await library.shapes() { shapes[shape.type] = shape }
    var changed: [TypeID: SharedShape] = [:]
    for record in records {
      guard let type = TypeRecord.type(named: record.recordName) else { continue }
      if record.deleted {
        guard var shape = shapes[type] else { continue }
        shape.tag = nil
        shape.isPending = true
        changed[type] = shape
      } else if let state = TypeRecord.state(of: record),
        shapes[type]?.tag != record.recordChangeTag || record.recordChangeTag == nil
      {
        let joined = shapes[type]?.state.joined(with: state) ?? state
        changed[type] = SharedShape(
          type: type, state: joined, tag: record.recordChangeTag, isPending: joined != state)
      }
    }
    shapes.merge(changed) { $1 }
    let model = ModelShape.model(of: shapes.mapValues(\.state), over: known)
    let kept = changed.values.sorted { $0.type < $1.type }
    guard model != known else {
      try await library.keep(kept)
      return false
    }
    do {
      try await library.adopt(model, over: known, kept)
    } catch StoreError.unusableName {
      // Two types that SQLite can't tell apart: ours stays, and the records of the other are held.
      try await library.keep(kept)
      return false
    }
    let digest = library.model.syncDigest
    try await library.updateSyncSettings { $0.model = digest }
    return true
  }

  // MARK: Here

  /// Brings the registers in line with the model, where somebody changed it here.
  private func writeDownModel() async throws {
    let model = library.model
    let digest = model.syncDigest
    guard let settings = try await library.syncSettings(), settings.model != digest else { return }
    var shapes: [TypeID: SharedShape] = [:]
    for shape in try await library.shapes() { shapes[shape.type] = shape }
    let now = library.surroundings.milliseconds()
    let device = library.device
    var states = shapes.mapValues(\.state)
    if states.isEmpty {
      // What a template brought is nobody's decision: whatever somebody decided elsewhere, however
      // long ago, comes after it.
      let template = Stamp(time: HybridTime.zero.next, device: device)
      states = ModelShape.writing(try await library.firstModel(), into: [:]) { _ in template }
    }
    let first = states
    let written = ModelShape.writing(model, into: states) { vector in
      var clock = HybridClock(last: vector.time(of: device))
      return Stamp(time: clock.tick(milliseconds: now, above: vector), device: device)
    }
    try await library.keep(
      (shapes.isEmpty ? first.merging(written) { $1 } : written).sorted { $0.key < $1.key }.map {
        type, state in
        SharedShape(type: type, state: state, tag: shapes[type]?.tag, isPending: true)
      })
    try await library.updateSyncSettings { $0.model = digest }
  }
}

extension Model {
  /// What the books of sync know a model by.
  var syncDigest: String { String(Digest64.of(ModelFile.text(of: self).utf8), radix: 16) }
}

extension RecordResult {
  var living: WireRecord? { if case .record(let record) = self { record } else { nil } }
}
