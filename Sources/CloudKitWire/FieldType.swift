/// The tag of a field: its element type and whether it is a list.
package enum FieldType: String, Sendable, Hashable, CaseIterable {
  case string = "STRING"
  case int64 = "INT64"
  case double = "DOUBLE"
  case timestamp = "TIMESTAMP"
  case bytes = "BYTES"
  case encryptedBytes = "ENCRYPTED_BYTES"
  case location = "LOCATION"
  case reference = "REFERENCE"
  case asset = "ASSETID"
  case stringList = "STRING_LIST"
  case int64List = "INT64_LIST"
  case doubleList = "DOUBLE_LIST"
  case timestampList = "TIMESTAMP_LIST"
  case bytesList = "BYTES_LIST"
  case locationList = "LOCATION_LIST"
  case referenceList = "REFERENCE_LIST"
  case assetList = "ASSETID_LIST"
  /// An empty list whose element type nobody has said yet.
  case unknownList = "UNKNOWN_LIST"

  /// Reads a tag, also by the names that only some clients use.
  package init?(tag: String) {
    switch tag {
    case "ASSET": self = .asset
    case "ASSET_LIST": self = .assetList
    case "EMPTY_LIST": self = .unknownList
    default: self.init(rawValue: tag)
    }
  }

  /// The type of one element; nil when this is no list, or a list of nobody knows what.
  package var element: FieldType? {
    switch self {
    case .stringList: .string
    case .int64List: .int64
    case .doubleList: .double
    case .timestampList: .timestamp
    case .bytesList: .bytes
    case .locationList: .location
    case .referenceList: .reference
    case .assetList: .asset
    default: nil
    }
  }

  package var isList: Bool { element != nil || self == .unknownList }

  /// The list whose elements have this type.
  package var list: FieldType? {
    switch self {
    case .string: .stringList
    case .int64: .int64List
    case .double: .doubleList
    case .timestamp: .timestampList
    case .bytes, .encryptedBytes: .bytesList
    case .location: .locationList
    case .reference: .referenceList
    case .asset: .assetList
    default: nil
    }
  }
}
