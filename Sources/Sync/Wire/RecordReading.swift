// A record on its way in: what the service's copy stands for, also where the last writer knew
// nothing of causal states (DESIGN.md 5, the rule for foreign writers). Pure, and the same on every
// device for the same copy.

package import CloudKitWire
package import Records
package import RecordStore

/// A record of the service, understood.
package enum IncomingRecord: Sendable {
  case change(RemoteChange)
  /// It can't be taken in yet; kept as it came.
  case held(HeldRecord)
}

package enum RecordReading {
  /// Reads a living record of the service.
  ///
  /// - Parameters:
  ///   - known: What we remember of its copy.
  ///   - local: The record here, for what only a set of elements needs.
  package static func read(
    _ record: WireRecord, model: Model, known: RemoteCopy?, local: RecordState? = nil
  ) -> IncomingRecord {
    let name = record.recordName ?? ""
    guard let typeName = record.recordType, let type = model.type(TypeID(trusted: typeName)) else {
      return .held(held(record, reason: "unknownType"))
    }
    guard record.fault == nil else { return .held(held(record, reason: "damaged")) }
    let id = RecordNaming.id(of: name)
    let reference = RecordReference(type: type.id, id: id)
    var copy = RemoteCopy(name: RecordNaming.keptName(name), tag: record.recordChangeTag)
    do throws(ByteError) {
      let (content, seen) = try read(
        record, type: type, known: SeenCopy(bytes: known?.seen), local: local)
      copy.seen = seen.bytes
      var change = RemoteChange(reference: reference, content: content, remote: copy)
      switch content {
      case .plain: break
      case .state(let state), .partial(let state):
        let found = RecordFiles.contents(of: record, seen.files, state: state, type: type)
        change.contents = found.wanted
        if case .state = content { change.lacking = found.lacking }
      case .purged: break
      }
      return .change(change)
    } catch .newer {
      return .held(held(record, reason: "newer"))
    } catch {
      return .held(held(record, reason: "damaged"))
    }
  }

  /// Reads a deletion on the wire: made by somebody who had seen what we saw last (J4).
  package static func tombstone(
    _ reference: RecordReference, known: RemoteCopy
  ) -> RemoteChange {
    let seen = SeenCopy(bytes: known.seen)?.vector ?? .empty
    let time = (seen.entries.map(\.time).max() ?? .zero).next
    let stamp = Stamp(time: time, device: RecordNaming.device(ofUser: "purge"))
    return RemoteChange(
      reference: reference, content: .purged(seen: seen, by: stamp), remote: nil)
  }

  private static func held(_ record: WireRecord, reason: String) -> HeldRecord {
    HeldRecord(
      name: record.recordName ?? "", type: record.recordType, tag: record.recordChangeTag,
      reason: reason, message: record.body())
  }

  // MARK: The state behind a copy

  private static func read(
    _ record: WireRecord, type: RecordType, known: SeenCopy?, local: RecordState?
  ) throws(ByteError) -> (RemoteChange.Content, SeenCopy) {
    var bytes: [UInt8] = []
    if case .bytes(let found) = record.fields[CausalBytes.fieldName]?.value { bytes = found }
    let causalDigest = bytes.isEmpty ? 0 : Digest64.of(bytes)
    var causal = CausalBytes.none
    if !bytes.isEmpty {
      causal = try CausalBytes(reading: bytes) { field, kind in
        record.fields[field.name].flatMap { FieldWire.value($0, as: kind) }
      }
    }
    let observed = observe(record, type: type, causal: causal)
    let isDeleted = flag(record.fields[RecordWriting.deletedFieldName])
    if let known, known.causal == causalDigest {
      // The state is the one we saw: the values that we saw decide what is new.
      let before = known.values ?? causal.digests
      let changed = changes(observed, since: before, type: type, causal: causal)
      var state = RecordState(vector: known.vector)
      let stamp = foreignStamp(record, above: known.vector)
      for field in changed {
        write(
          observed[field.id]?.value ?? .empty, to: field, stamp: stamp, decoded: causal.state,
          local: local, seen: known.vector, into: &state)
      }
      if isDeleted != known.isDeleted { state.setExistence(deleted: isDeleted, stamp: stamp) }
      var seen = known
      seen.vector = state.vector
      seen.isDeleted = isDeleted
      if !changed.isEmpty { seen.values = observed.mapValues(\.digest) }
      seen.files = RecordFiles.files(of: record, known: known.files, state: nil, type: type)
      return (.partial(state), seen)
    }
    var state = causal.state
    let changed = changes(observed, since: causal.digests, type: type, causal: causal)
    let stamp = foreignStamp(record, above: state.vector)
    for field in changed {
      let value = observed[field.id]?.value ?? .empty
      write(
        value, to: field, stamp: stamp, decoded: causal.state, local: nil, seen: state.vector,
        into: &state)
    }
    let wasDeleted = causal.state.existence == .deleted
    if isDeleted != wasDeleted { state.setExistence(deleted: isDeleted, stamp: stamp) }
    if bytes.isEmpty, state.vector.entries.isEmpty { state.revive(stamp: stamp) }
    var seen = SeenCopy(
      causal: causalDigest, vector: state.vector, isDeleted: isDeleted,
      values: changed.isEmpty ? nil : observed.mapValues(\.digest))
    seen.files = RecordFiles.files(
      of: record, known: known?.files ?? [:], state: state, type: type)
    return (.state(state), seen)
  }

  /// The typed fields of a record, as the model reads them.
  private static func observe(
    _ record: WireRecord, type: RecordType, causal: CausalBytes
  ) -> [FieldID: (value: Value, digest: UInt64)] {
    var result: [FieldID: (value: Value, digest: UInt64)] = [:]
    for field in type.fields {
      guard let wire = record.fields[field.id.name] else { continue }
      let kind = causal.kinds[field.id] ?? ValueKind(field.type)
      if case .asset(let asset)? = wire.value, let checksum = asset.fileChecksum {
        // Its owner named the file; somebody else's is called after the field.
        guard kind == .attachment, let hash = RecordFiles.hash(of: asset) else { continue }
        let value = Attachment(hash: hash, name: field.name, size: asset.size ?? 0)
        result[field.id] = (.attachment(value), Digest64.of(checksum.utf8))
        continue
      }
      guard kind != .attachment, let value = FieldWire.value(wire, as: kind), !value.isEmpty else {
        continue
      }
      result[field.id] = (value, Digest64.of(value))
    }
    return result
  }

  private static func changes(
    _ observed: [FieldID: (value: Value, digest: UInt64)], since before: [FieldID: UInt64],
    type: RecordType, causal: CausalBytes
  ) -> [Field] {
    type.fields.filter { field in
      guard !causal.unjudged.contains(field.id),
        observed[field.id]?.digest ?? 0 != before[field.id] ?? 0
      else { return false }
      // A file that the state names is no news, whether its field was vouched for or not.
      if case .attachment(let file)? = observed[field.id]?.value,
        case .attachment(let known) = causal.state.settledValue(of: field)
      {
        return file.hash != known.hash
      }
      return true
    }
  }

  private static func flag(_ field: WireField?) -> Bool {
    if case .int64(let number) = field?.value { number != 0 } else { false }
  }

  // MARK: Foreign writes

  /// The later of the service's clock and what the record had seen; named after the person.
  private static func foreignStamp(_ record: WireRecord, above vector: VersionVector) -> Stamp {
    let service = HybridTime(milliseconds: record.modified?.timestamp ?? 0)
    let next = (vector.entries.map(\.time).max() ?? .zero).next
    let user = record.modified?.userRecordName ?? "unknown"
    return Stamp(time: max(service, next), device: RecordNaming.device(ofUser: user))
  }

  private static func write(
    _ value: Value, to field: Field, stamp: Stamp, decoded: RecordState, local: RecordState?,
    seen: VersionVector, into state: inout RecordState
  ) {
    switch field.merge {
    case .latest, .lines:
      state.write(.value(value), to: .field(field.id), stamp: stamp)
    case .union:
      let now = Set(RecordState.elements(of: value))
      for element in now {
        state.write(.present(true), to: .element(field.id, element), stamp: stamp)
      }
      for element in (local ?? decoded).elements(of: field.id, coveredBy: seen)
      where !now.contains(element) {
        state.write(.present(false), to: .element(field.id, element), stamp: stamp)
      }
    case .sum:
      guard case .integer(let total) = value else { break }
      var others: Int64 = 0
      if case .integer(let sum) = decoded.settledValue(of: field) { others = sum }
      let share = total.subtractingReportingOverflow(
        others.subtractingReportingOverflow(decoded.share(of: stamp.device, in: field.id))
          .partialValue)
      guard !share.overflow else { break }
      state.write(
        .value(.integer(share.partialValue)), to: .share(field.id, stamp.device), stamp: stamp)
    }
  }
}

extension CausalBytes {
  /// A copy without any: all its values are its writer's.
  fileprivate static let none = CausalBytes()

  private init() {
    state = RecordState()
    digests = [:]
    kinds = [:]
    unjudged = []
  }
}

extension RecordState {
  fileprivate mutating func setExistence(deleted: Bool, stamp: Stamp) {
    if deleted { delete(stamp: stamp) } else { revive(stamp: stamp) }
  }

  /// The elements of a set that are present, and that a writer with this vector knew.
  fileprivate func elements(of field: FieldID, coveredBy vector: VersionVector) -> Set<ExactText> {
    var result: Set<ExactText> = []
    for (key, register) in registers {
      switch key {
      case .element(field, let element):
        let isPresent = register.siblings.contains {
          $0.payload == .present(true) && vector.covers($0.stamp)
        }
        if isPresent { result.insert(element) }
      case .field(field): result.formUnion(Self.elements(of: register.winner.value))
      default: break
      }
    }
    return result
  }
}
