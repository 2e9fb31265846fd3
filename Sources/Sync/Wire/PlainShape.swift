// Records whose fields were all written at once, on their way out and in: what RecordWriting and
// RecordReading would make of them, without a table of registers, of digests and of kinds for each.
// Whatever is not as plain as that is left to those two. Pure; made once for a page or a batch.

package import CloudKitWire
package import RecordStore
package import Records

/// One record type, as plain records of it travel.
package struct PlainShape: Sendable {
  private struct Entry: Sendable {
    let name: String
    /// The name as ``CausalBytes`` writes it, with its length before it.
    let prefix: [UInt8]
    let kind: ValueKind
  }

  package let type: RecordType
  /// By the places of the type's fields; nothing for a field that settles by more than one register
  /// or whose content travels by itself.
  private let entries: [Entry?]

  package init(_ type: RecordType) {
    self.type = type
    entries = type.fields.map { field in
      let kind = ValueKind(field.type)
      guard kind != .attachment, field.merge == .latest || field.merge == .lines else { return nil }
      var writer = ByteWriter()
      writer.text(field.id.name)
      return Entry(name: field.id.name, prefix: writer.bytes, kind: kind)
    }
  }

  // MARK: Out

  /// The creation of a record; nothing where it is not plain or the service may hold it already.
  ///
  /// - Parameter names: Record names of referenced records that are not their id's text.
  package func outgoing(_ pending: PendingRecord, names: [RecordID: String]) -> OutgoingRecord? {
    guard let plain = pending.plain, pending.remote?.tag == nil else { return nil }
    var causal = ByteWriter()
    var count: UInt64 = 0
    var entriesWriter = ByteWriter()
    let name = pending.remote?.name ?? pending.reference.id.description
    var json = JSONWriter(reserving: 1_024)
    json.beginObject()
    json.member("operationType", OperationType.create.rawValue)
    json.key("record")
    json.beginObject()
    json.member("recordName", name)
    json.member("recordType", type.id.name)
    json.key("fields")
    json.beginObject()
    for (place, value) in plain.values.enumerated() where !value.isEmpty {
      guard let entry = entries[place], ValueKind(value) == entry.kind,
        let field = FieldWire.field(value, name: { names[$0] ?? $0.description })
      else { return nil }
      json.key(entry.name)
      field.write(to: &json)
      entriesWriter.raw(entry.prefix)
      entriesWriter.byte(entry.kind.rawValue)
      entriesWriter.word(Digest64.of(value))
      entriesWriter.byte(CausalBytes.plainRole)
      count += 1
    }
    guard count > 0 else { return nil }
    causal.byte(CausalBytes.version)
    causal.vector(plain.vector)
    causal.stamp(plain.stamp)
    causal.varint(count)
    causal.raw(entriesWriter.bytes)
    json.key(CausalBytes.fieldName)
    WireField.bytes(causal.bytes).write(to: &json)
    json.endObject()
    json.endObject()
    json.member("desiredKeys", [String]())
    json.endObject()
    guard json.bytes.count <= RecordFiles.recordBytesMax else { return nil }
    return OutgoingRecord(
      pending: pending, name: name, body: json.bytes,
      seen: SeenCopy(
        causal: Digest64.of(causal.bytes), vector: plain.vector, isDeleted: false))
  }

  // MARK: In

  /// Reads a record of this type; nothing where it is not plain, or not as its writer left it.
  package func read(_ record: WireRecord) -> (state: PlainState, seen: SeenCopy)? {
    guard record.fault == nil,
      case .bytes(let bytes)? = record.fields[CausalBytes.fieldName]?.value
    else { return nil }
    var others = record.fields.count - 1
    if let flag = record.fields[RecordWriting.deletedFieldName] {
      guard flag.value == .int64(0) else { return nil }
      others -= 1
    }
    do throws(ByteError) {
      var reader = ByteReader(bytes)
      guard try reader.byte() == CausalBytes.version, try reader.count() == 1 else { return nil }
      let stamp = try reader.stamp()
      guard try reader.stamp() == stamp, try reader.count() == others, others > 0 else {
        return nil
      }
      var values = [Value](repeating: .empty, count: entries.count)
      var next = 0
      for _ in 0..<others {
        guard let place = try place(&reader, from: next), let entry = entries[place],
          values[place].isEmpty, try reader.byte() == entry.kind.rawValue
        else { return nil }
        let digest = try reader.word()
        guard try reader.byte() == CausalBytes.plainRole,
          let value = record.fields[entry.name].flatMap({ FieldWire.value($0, as: entry.kind) }),
          !value.isEmpty, Digest64.of(value) == digest
        else { return nil }
        values[place] = value
        next = place + 1
      }
      guard reader.isAtEnd else { return nil }
      let plain = PlainState(stamp: stamp, values: values)
      return (
        plain, SeenCopy(causal: Digest64.of(bytes), vector: plain.vector, isDeleted: false)
      )
    } catch {
      return nil
    }
  }

  /// The place of the field whose name comes next: most often the next one that has a value.
  private func place(_ reader: inout ByteReader, from next: Int) throws(ByteError) -> Int? {
    let name = try reader.raw(count: try reader.count())
    for place in next..<entries.count where isName(name, of: place) { return place }
    for place in 0..<next where isName(name, of: place) { return place }
    return nil
  }

  private func isName(_ name: ArraySlice<UInt8>, of place: Int) -> Bool {
    guard let entry = entries[place] else { return false }
    // Names are shorter than what a second byte of length is needed for (NameRule).
    return entry.prefix.count == name.count + 1 && entry.prefix.dropFirst() == name
  }
}

extension PlainState {
  package var vector: VersionVector { VersionVector([stamp]) }
}

/// The plain shapes of a model's types, each made when it is asked for.
package struct PlainShapes: Sendable {
  private let model: Model
  private var made: [PlainShape] = []

  package init(_ model: Model) { self.model = model }

  /// Nothing for a type that the model does not have.
  package subscript(_ id: TypeID) -> PlainShape? {
    mutating get {
      // Few types, and records of one stand side by side.
      if let last = made.last, last.type.id == id { return last }
      if let found = made.first(where: { $0.type.id == id }) { return found }
      guard let type = model.type(id) else { return nil }
      let shape = PlainShape(type)
      made.append(shape)
      return shape
    }
  }
}
