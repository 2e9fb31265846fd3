// The record dictionary, and the entries of a response: a record or what went wrong with it.

/// When, and by whom, a record was made or last changed.
package struct WireStamp: Sendable, Hashable {
  /// Milliseconds since 1970 UTC, by the service's clock.
  package var timestamp: Int64
  package var userRecordName: String?
  package var deviceID: String?

  package init(timestamp: Int64, userRecordName: String? = nil, deviceID: String? = nil) {
    self.timestamp = timestamp
    self.userRecordName = userRecordName
    self.deviceID = deviceID
  }
}

/// A record as it travels.
package struct WireRecord: Sendable, Hashable {
  package var recordName: String?
  package var recordType: String?
  package var recordChangeTag: String?
  package var fields: [String: WireField] = [:]
  package var created: WireStamp?
  package var modified: WireStamp?
  package var deleted = false
  package var zoneID: ZoneID?
  /// The record name of the parent in the sharing hierarchy.
  package var parent: String?
  /// Whether the message had a `parent` at all: null clears it.
  package var mentionsParent = false
  /// What is wrong with it although it is JSON; such a record is refused by itself.
  package var fault: String?

  package init(
    recordName: String? = nil, recordType: String? = nil, recordChangeTag: String? = nil,
    fields: [String: WireField] = [:]
  ) {
    self.recordName = recordName
    self.recordType = recordType
    self.recordChangeTag = recordChangeTag
    self.fields = fields
  }
}

extension WireRecord: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      try read(name, from: &reader)
    }
  }

  /// Reads one member; shared with the response entry, which has members of its own.
  mutating func read(_ name: String, from reader: inout JSONReader) throws(MalformedMessage) {
    switch name {
    case "recordName": recordName = try text(name, from: &reader)
    case "recordType": recordType = try text(name, from: &reader)
    case "recordChangeTag": recordChangeTag = try tag(from: &reader)
    case "fields": try readFields(from: &reader)
    case "deleted": deleted = try reader.readValue().truth ?? false
    case "created": created = try WireStamp(reading: &reader)
    case "modified": modified = try WireStamp(reading: &reader)
    case "zoneID": zoneID = try ZoneID(reading: &reader)
    case "parent":
      parent = try reader.readValue()["recordName"]?.string
      mentionsParent = true
    default: try reader.skip()
    }
  }

  private mutating func text(
    _ name: String, from reader: inout JSONReader
  ) throws(MalformedMessage) -> String? {
    if try reader.peek() == .string { return try reader.readString() }
    if try !reader.readValue().isNull { fault = "\(name) is a string" }
    return nil
  }

  /// Tags look like numbers, and a client that is loose about types sends one as a number.
  private mutating func tag(from reader: inout JSONReader) throws(MalformedMessage) -> String? {
    switch try reader.readValue() {
    case .string(let text): return text
    case .int(let number): return String(number)
    case .null: return nil
    default:
      fault = "recordChangeTag is a string"
      return nil
    }
  }

  private mutating func readFields(from reader: inout JSONReader) throws(MalformedMessage) {
    guard try reader.peek() == .object else {
      if try !reader.readValue().isNull { fault = "fields is an object" }
      return
    }
    try reader.beginObject()
    while let name = try reader.nextName() {
      var unfit: String?
      fields[name] = try WireField(from: &reader, fault: &unfit)
      if let unfit { fault = "field '\(name.prefix(64))': \(unfit)" }
    }
  }

  package func write(to writer: inout JSONWriter) {
    write(to: &writer, numbersAsStrings: false)
  }

  package func write(to writer: inout JSONWriter, numbersAsStrings: Bool) {
    writer.beginObject()
    writer.member("recordName", recordName)
    writer.member("recordType", recordType)
    writer.member("recordChangeTag", recordChangeTag)
    if !fields.isEmpty {
      writer.key("fields")
      WireRecord.write(fields, to: &writer, numbersAsStrings: numbersAsStrings)
    }
    writer.member("created", created)
    writer.member("modified", modified)
    if deleted { writer.member("deleted", true) }
    writer.member("zoneID", zoneID)
    if let parent {
      writer.key("parent")
      writer.object { $0.member("recordName", parent) }
    }
    writer.endObject()
  }

  /// Writes a fields object in the order of the names, so that equal records are equal bytes.
  package static func write(
    _ fields: [String: WireField], to writer: inout JSONWriter, numbersAsStrings: Bool = false
  ) {
    writer.beginObject()
    for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      field.write(to: &writer, numbersAsStrings: numbersAsStrings)
    }
    writer.endObject()
  }
}

extension WireStamp: WireWritable {
  /// Nil for what is no stamp: clients echo them, and nobody believes them.
  init?(reading reader: inout JSONReader) throws(MalformedMessage) {
    guard try reader.peek() == .object else {
      try reader.skip()
      return nil
    }
    var timestamp: Int64?
    var user: String?
    var device: String?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "timestamp": timestamp = try reader.readValue().wholeNumber
      case "userRecordName": user = try reader.readValue().string
      case "deviceID": device = try reader.readValue().string
      default: try reader.skip()
      }
    }
    guard let timestamp else { return nil }
    self.init(timestamp: timestamp, userRecordName: user, deviceID: device)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("timestamp", timestamp)
      $0.member("userRecordName", userRecordName)
      $0.member("deviceID", deviceID)
    }
  }
}

/// One entry of a response's `records`.
package enum RecordResult: Sendable, Hashable {
  case record(WireRecord)
  case failure(ServiceError)
}

extension RecordResult: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    var record = WireRecord()
    var error = ServiceError.Parts()
    try reader.beginObject()
    while let name = try reader.nextName() {
      if try error.read(name, from: &reader) { continue }
      try record.read(name, from: &reader)
    }
    if var failure = error.failure {
      failure.recordName = record.recordName
      failure.zoneID = record.zoneID
      self = .failure(failure)
    } else {
      self = .record(record)
    }
  }
}
