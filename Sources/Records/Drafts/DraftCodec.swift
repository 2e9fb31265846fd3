// Drafts as bytes, for the journal that gives them back after a crash. The base travels too: it is
// what a later commit merges against. Undo steps do not: they belong to the session.

extension Draft {
  /// 2 added the records of a bulk edit.
  private static let version: UInt8 = 2

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    write(to: &writer)
    writer.varint(UInt64(bulk.count))
    for id in bulk { writer.recordID(id) }
    return writer.bytes
  }

  package init(bytes: some Sequence<UInt8>) throws(ByteError) {
    var reader = ByteReader(bytes)
    let version = try reader.byte()
    guard (1...Self.version).contains(version) else { throw .newer(version: version) }
    self = try Draft(from: &reader, depth: 0)
    guard version > 1 else { return }
    for _ in 0..<(try reader.count()) { bulk.append(try reader.recordID()) }
  }

  /// A draft of a draft of a draft is as deep as any model needs; it bounds what bytes can ask for.
  private static let depthMax = 8

  private func write(to writer: inout ByteWriter) {
    writer.recordID(id.id)
    writer.text(type.name)
    writer.recordID(record)
    writer.byte(base == nil ? 0 : 1)
    if let base { base.write(to: &writer) }
    let changed = typedInputs
    writer.varint(UInt64(changed.count))
    for (field, input) in changed {
      writer.text(field.name)
      switch input {
      case .value(let value):
        writer.byte(0)
        writer.value(value)
      case .unread(let text):
        writer.byte(1)
        writer.text(text)
      }
    }
    writer.varint(UInt64(related.count))
    for draft in related { draft.write(to: &writer) }
  }

  private init(from reader: inout ByteReader, depth: Int) throws(ByteError) {
    guard depth < Self.depthMax else { throw .malformed }
    let id = DraftID(try reader.recordID())
    guard let type = TypeID(try reader.text()) else { throw .malformed }
    let record = try reader.recordID()
    let base = try reader.byte() == 1 ? try Snapshot(from: &reader, type: type, id: record) : nil
    var inputs: [FieldID: DraftInput] = [:]
    for _ in 0..<(try reader.count()) {
      guard let field = FieldID(try reader.text()) else { throw .malformed }
      inputs[field] =
        try reader.byte() == 0 ? .value(try reader.value()) : .unread(try reader.text())
    }
    self.init(id: id, type: type, record: record, base: base, inputs: inputs)
    for _ in 0..<(try reader.count()) {
      related.append(try Draft(from: &reader, depth: depth + 1))
    }
  }
}

extension Snapshot {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.varint(UInt64(fields.count))
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      writer.text(field.name)
      writer.value(value)
    }
    let state = StateCodec.whole(state)
    writer.varint(UInt64(state.count))
    writer.raw(state)
    writer.signed(created.milliseconds)
    writer.signed(modified.milliseconds)
    writer.byte((isDeleted ? 1 : 0) | (isPending ? 2 : 0))
  }

  fileprivate init(
    from reader: inout ByteReader, type: TypeID, id: RecordID
  ) throws(ByteError) {
    var fields: [FieldID: Value] = [:]
    for _ in 0..<(try reader.count()) {
      guard let field = FieldID(try reader.text()) else { throw .malformed }
      fields[field] = try reader.value()
    }
    let state = try StateCodec.whole(reading: try reader.raw(count: try reader.count()))
    let created = Timestamp(milliseconds: try reader.signed())
    let modified = Timestamp(milliseconds: try reader.signed())
    let flags = try reader.byte()
    self.init(
      type: type, id: id, fields: fields, state: state, created: created, modified: modified,
      isDeleted: flags & 1 != 0, isPending: flags & 2 != 0)
  }
}
