// A record as `show`, `list` and `trash` print it (DESIGN.md 7). Others script against these shapes.

internal import Records
internal import RecordStore

extension JSON {
  /// `{"type","id","fields":{…},"created","modified","deleted","pending","conflicts":[…]}`.
  ///
  /// - Parameter syncs: Whether the library syncs: nothing waits to be sent where there is nobody to
  ///   send it to.
  static func record(_ snapshot: Snapshot, type: RecordType, syncs: Bool) -> JSON {
    [
      "type": .string(type.name),
      "id": .string(snapshot.id.description),
      "fields": fields(of: snapshot, type: type),
      "created": .time(snapshot.created),
      "modified": .time(snapshot.modified),
      "deleted": .boolean(snapshot.isDeleted),
      "pending": .boolean(syncs && snapshot.isPending),
      "conflicts": .array(
        snapshot.state.conflicts(in: type).map {
          .conflict($0, of: snapshot.id, type: type)
        }),
    ]
  }

  /// All visible fields in the order of the model, null where empty.
  static func fields(of snapshot: Snapshot, type: RecordType) -> JSON {
    .object(
      type.visibleFields.map {
        Member($0.name, .value(snapshot.value(of: $0.id)))
      })
  }

  /// `{"id","type","record","field","base","values":[{"value","device","at","shown"}]}`.
  ///
  /// - Parameter devices: What devices are called, to be told as `deviceName`.
  static func conflict(
    _ conflict: Conflict, of record: RecordID, type: RecordType,
    devices: [DeviceID: String]? = nil
  ) -> JSON {
    let field = conflict.field.flatMap { type.field($0) }
    return [
      "id": .string(ConflictName(record: record, field: field?.name).text),
      "type": .string(type.name),
      "record": .string(record.description),
      "field": .string(orNull: field?.name),
      "base": conflict.base.map { JSON.value($0) } ?? .null,
      "values": .array(
        conflict.sides.enumerated().map { index, side in
          JSON.side(side, isShown: index == 0, devices)
        }),
    ]
  }

  private static func side(
    _ side: ConflictSide, isShown: Bool, _ devices: [DeviceID: String]?
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("value", .side(side.value)),
      .init("device", .string(side.stamp.device.description)),
      .init("at", .time(Timestamp(milliseconds: side.stamp.time.milliseconds))),
      .init("shown", .boolean(isShown)),
    ]
    if let devices {
      members.append(.init("deviceName", .string(orNull: devices[side.stamp.device])))
    }
    return .object(members)
  }

  private static func side(_ value: ConflictValue) -> JSON {
    switch value {
    case .value(let value): .value(value)
    case .delete: .string("delete")
    case .keep: .string("keep")
    }
  }

  /// A value exactly as stored, null where empty.
  static func value(_ value: Records.Value) -> JSON { ValueJSON.json(value) }

  /// ISO 8601, UTC.
  static func time(_ time: Timestamp) -> JSON { .string(TimestampText.utc(time)) }

  static func string(orNull text: String?) -> JSON { text.map(JSON.string) ?? .null }

  static func count(_ count: Int) -> JSON { .integer(Int64(count)) }

  /// An object with the members of another one after its own.
  func adding(_ other: JSON) -> JSON {
    guard case .object(let own) = self, case .object(let added) = other else { return self }
    return .object(own + added)
  }
}

/// How a conflict is named on the command line: the record, and the field that it is about.
struct ConflictName: Hashable {
  let record: RecordID
  /// Nothing for a deletion against an edit.
  let field: String?

  init(record: RecordID, field: String?) {
    self.record = record
    self.field = field
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let record = parts.first.flatMap({ RecordID(String($0)) }) else { return nil }
    self.init(record: record, field: parts.count == 2 ? String(parts[1]) : nil)
  }

  var text: String { field.map { "\(record).\($0)" } ?? record.description }
}
