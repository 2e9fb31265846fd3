// A record on its way out: typed fields for every client, and the causal state for ours. Pure.

package import CloudKitWire
package import Records
package import RecordStore

/// An operation, and what an acknowledgement of it will mean.
package struct OutgoingRecord: Sendable {
  package let pending: PendingRecord
  package let name: String
  package let operation: RecordOperation
  package let seen: SeenCopy?
}

package enum RecordWriting {
  /// Other clients see by it that a record is in the trash: 1.
  package static let deletedFieldName = "skyros_deleted"

  /// What to send for a pending change; nothing where the service never had what was purged here.
  ///
  /// - Parameter names: Record names of referenced records that are not their id's text.
  package static func outgoing(
    _ pending: PendingRecord, type: RecordType?, names: [RecordID: String]
  ) -> OutgoingRecord? {
    let name = pending.remote?.name ?? pending.reference.id.description
    var record = WireRecord(recordName: name, recordType: pending.reference.type.name)
    record.recordChangeTag = pending.remote?.tag
    guard let state = pending.state, let type else {
      guard record.recordChangeTag != nil else { return nil }
      let operation = RecordOperation(.delete, record, desiredKeys: [])
      return OutgoingRecord(pending: pending, name: name, operation: operation, seen: nil)
    }
    let travelling = state.travelling(in: type)
    let isNew = record.recordChangeTag == nil
    for field in type.fields {
      let value = travelling.settledValue(of: field)
      if let wire = FieldWire.field(value, name: { names[$0] ?? $0.description }) {
        record.fields[field.id.name] = wire
      } else if !isNew, value.isEmpty {
        // Cleared by name: a field that is not listed would keep its value.
        record.fields[field.id.name] = WireField(nil, ValueKind(field.type).wireType)
      }
    }
    let causal = CausalBytes.bytes(travelling, type: type)
    record.fields[CausalBytes.fieldName] = .bytes(causal)
    let isDeleted = travelling.existence == .deleted
    if isDeleted || !isNew { record.fields[deletedFieldName] = .int64(isDeleted ? 1 : 0) }
    // `update` leaves the fields alone that only other clients know.
    let operation = RecordOperation(isNew ? .create : .update, record, desiredKeys: [])
    let seen = SeenCopy(
      causal: Digest64.of(causal), vector: travelling.vector, isDeleted: isDeleted)
    return OutgoingRecord(pending: pending, name: name, operation: operation, seen: seen)
  }

  /// The bytes that an operation takes in a body, roughly and not too few.
  package static func size(of record: OutgoingRecord) -> Int {
    record.operation.body().count
  }
}
