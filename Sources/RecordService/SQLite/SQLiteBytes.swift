// Blobs in and out of GRDB, whose own type for them is Foundation's.

internal import FoundationEssentials
internal import GRDB

extension DatabaseValue {
  init(bytes: [UInt8]) {
    self = Data(bytes).databaseValue
  }
}

extension Row {
  func bytes(at index: Int) -> [UInt8] {
    guard let data = self[index] as Data? else { return [] }
    return Array(data)
  }
}
