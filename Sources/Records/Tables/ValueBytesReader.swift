// One column's values out of bytes: ``ValueText`` for a bulk import, with short cuts for what most
// cells are. It reads the same values (a test holds the two together).

/// Reads the cells of one column.
package struct ValueBytesReader: Sendable {
  private let type: FieldType
  private let time: LocalTime

  package init(_ type: FieldType, in time: LocalTime) {
    self.type = type
    self.time = time
  }

  /// - Parameter bytes: Well-formed UTF-8.
  package func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(ValueMistake) -> Value {
    if bytes.isEmpty { return .empty }
    switch type {
    case .text, .longText: return .text(String(decoding: bytes, as: UTF8.self))
    case .integer, .counter: if let number = NumberBytes.integer(bytes) { return .integer(number) }
    case .number:
      if let number = NumberBytes.number(bytes) { return .number(number == 0 ? 0 : number) }
    case .boolean:
      if bytes.elementsEqual("true".utf8) { return .boolean(true) }
      if bytes.elementsEqual("false".utf8) { return .boolean(false) }
    case .date: if let date = CalendarDate(bytes: bytes) { return .date(date) }
    default: break
    }
    return try ValueText.read(String(decoding: bytes, as: UTF8.self), as: type, in: time)
  }
}
