// Small readers shared by the messages: lenient where clients differ, exact where it matters.

extension JSONReader {
  /// An array of messages; null reads as absent.
  mutating func readMessages<Message: WireReadable>(
    _ type: Message.Type = Message.self
  ) throws(MalformedMessage) -> [Message]? {
    if try readNullIfNext() { return nil }
    var messages: [Message] = []
    try beginArray()
    while try nextElement() { messages.append(try Message(from: &self)) }
    return messages
  }

  /// An object with a list under that name, which it must have, and perhaps a zone.
  mutating func readList<Message: WireReadable>(
    _ key: String, of type: Message.Type
  ) throws(MalformedMessage) -> (list: [Message], zoneID: ZoneID?) {
    let start = offset
    var list: [Message]?
    var zoneID: ZoneID?
    try beginObject()
    while let name = try nextName() {
      switch name {
      case key: list = try readMessages()
      case "zoneID": zoneID = try readZoneID()
      default: try skip()
      }
    }
    guard let list else { throw MalformedMessage("\(key) are missing", at: start) }
    return (list, zoneID)
  }

  /// An array of strings; null reads as absent, which `desiredKeys` tells from empty.
  mutating func readStrings() throws(MalformedMessage) -> [String]? {
    if try readNullIfNext() { return nil }
    var texts: [String] = []
    try beginArray()
    while try nextElement() { texts.append(try readString()) }
    return texts
  }

  mutating func readOptionalString() throws(MalformedMessage) -> String? {
    if try readNullIfNext() { return nil }
    return try readString()
  }

  mutating func readFlag() throws(MalformedMessage) -> Bool? {
    try readValue().truth
  }

  /// A count; null and nonsense read as absent, a number of any size as the nearest `Int`.
  mutating func readCount() throws(MalformedMessage) -> Int? {
    try readValue().wholeNumber.map { Int($0) }
  }

  mutating func readZoneID() throws(MalformedMessage) -> ZoneID? {
    if try readNullIfNext() { return nil }
    return try ZoneID(from: &self)
  }
}
