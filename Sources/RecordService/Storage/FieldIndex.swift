// What a query by a field's value looks up instead of reading every record of the type.
//
// An index grows behind the queries that had to read much: it covers the names up to one of them,
// and who asks reads the records beyond it as ever. It may name too many records (a long text
// counts by its beginning, a record may have gone), never too few: the filters are tried on what it
// names.

package import CloudKitWire

/// The index of one field of one record type in one zone.
package struct StoredIndex: Sendable, Hashable {
  package var number: Int64
  package var field: String
  /// Records of these names and below are in it.
  package var upTo: String

  package init(number: Int64, field: String, upTo: String) {
    self.number = number
    self.field = field
    self.upTo = upTo
  }

  func covers(_ name: String) -> Bool { !QueryOrder.precedes(upTo, name) }
}

/// A value as an index holds it.
package enum IndexedValue: Sendable, Hashable {
  /// By its bytes: two spellings of one word are two values.
  case text(ExactName)
  case integer(Int64)
  case real(Double)
  case bytes([UInt8])

  /// So much of a text or of bytes: enough to tell most from one another.
  private static let bytesMax = 128

  /// Nil for kinds that no index holds: locations, assets, lists.
  package init?(_ value: WireValue) {
    switch value {
    case .string(let text): self = .text(ExactName(Self.beginning(of: text)))
    case .reference(let reference):
      self = .text(ExactName(Self.beginning(of: reference.recordName)))
    case .int64(let number), .timestamp(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .bytes(let bytes): self = .bytes(Array(bytes.prefix(Self.bytesMax)))
    case .location, .asset, .list: return nil
    }
  }

  /// Whole characters of UTF-8.
  private static func beginning(of text: String) -> String {
    guard text.utf8.count > bytesMax else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: bytesMax)
    while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }
}
