// Values as bytes: for history, siblings, and what newer devices wrote.

extension ByteWriter {
  package mutating func value(_ value: Value) {
    switch value {
    case .empty: byte(0)
    case .text(let text):
      byte(1)
      self.text(text)
    case .integer(let number):
      byte(2)
      signed(number)
    case .number(let number):
      byte(3)
      word(number.bitPattern)
    case .decimal(let decimal):
      byte(4)
      text(decimal.text)
    case .boolean(let flag): byte(flag ? 6 : 5)
    case .date(let date):
      byte(7)
      signed(Int64(date.dayNumber))
    case .dateTime(let time):
      byte(8)
      signed(time.milliseconds)
    case .tags(let tags):
      byte(9)
      varint(UInt64(tags.tags.count))
      for tag in tags.tags { text(tag) }
    case .location(let location):
      byte(10)
      word(location.latitude.bitPattern)
      word(location.longitude.bitPattern)
    case .reference(let id):
      byte(11)
      recordID(id)
    case .references(let ids):
      byte(12)
      varint(UInt64(ids.count))
      for id in ids { recordID(id) }
    case .attachment(let attachment):
      byte(13)
      text(attachment.hash)
      text(attachment.name)
      signed(attachment.size)
    }
  }

  package mutating func recordID(_ id: RecordID) {
    word(id.high)
    word(id.low)
  }
}

extension ByteReader {
  package mutating func value() throws(ByteError) -> Value {
    switch try byte() {
    case 0: return .empty
    case 1: return .text(nonEmpty: try text())
    case 2: return .integer(try signed())
    case 3:
      guard let number = Value.number(finite: Double(bitPattern: try word())) else {
        throw .malformed
      }
      return number
    case 4:
      guard let decimal = Decimal(try text()) else { throw .malformed }
      return .decimal(decimal)
    case 5: return .boolean(false)
    case 6: return .boolean(true)
    case 7:
      guard let day = Int(exactly: try signed()), let date = CalendarDate(dayNumber: day) else {
        throw .malformed
      }
      return .date(date)
    case 8: return .dateTime(Timestamp(milliseconds: try signed()))
    case 9:
      var tags: [String] = []
      for _ in 0..<(try count()) { tags.append(try text()) }
      return .tags(nonEmpty: TagSet(tags))
    case 10:
      let latitude = Double(bitPattern: try word())
      let longitude = Double(bitPattern: try word())
      guard let location = Location(latitude: latitude, longitude: longitude) else {
        throw .malformed
      }
      return .location(location)
    case 11: return .reference(try recordID())
    case 12:
      var ids: [RecordID] = []
      for _ in 0..<(try count()) { ids.append(try recordID()) }
      return .references(sorted: ids)
    case 13:
      return .attachment(Attachment(hash: try text(), name: try text(), size: try signed()))
    default: throw .malformed
    }
  }

  package mutating func recordID() throws(ByteError) -> RecordID {
    RecordID(high: try word(), low: try word())
  }
}
