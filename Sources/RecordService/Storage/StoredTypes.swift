// What the storage keeps, as the service above it sees it.

package import CloudKitWire

/// A zone.
///
/// Its `number` is never used again, so that it also tells one incarnation from the next.
package struct StoredZone: Sendable, Hashable {
  package var number: Int64
  package var name: String
  /// The change sequence of the newest change.
  package var sequence: Int64
  /// Tombstones up to here have been forgotten.
  package var forgotten: Int64
  /// The database's sequence when this zone last changed.
  package var changed: Int64
  package var isDeleted: Bool

  package init(
    number: Int64, name: String, sequence: Int64, forgotten: Int64, changed: Int64,
    isDeleted: Bool
  ) {
    self.number = number
    self.name = name
    self.sequence = sequence
    self.forgotten = forgotten
    self.changed = changed
    self.isDeleted = isDeleted
  }
}

/// A record, or its tombstone.
package struct StoredRecord: Sendable, Hashable {
  package var name: String
  package var type: String
  /// Where the record's newest change stands in its zone.
  package var sequence: Int64
  /// The change tag as a number; written in base 36.
  package var tag: Int64
  /// The fields object exactly as it is answered, but for the URLs of assets.
  package var fields: String
  package var hasAssets: Bool
  package var parent: String?
  package var createdAt: Int64
  package var createdBy: String
  package var modifiedAt: Int64
  package var modifiedBy: String
  package var isDeleted: Bool
  /// What counts against the quota: the fields and the assets.
  package var bytes: Int64

  package init(
    name: String, type: String, sequence: Int64, tag: Int64, fields: String, hasAssets: Bool,
    parent: String?, createdAt: Int64, createdBy: String, modifiedAt: Int64, modifiedBy: String,
    isDeleted: Bool, bytes: Int64
  ) {
    self.name = name
    self.type = type
    self.sequence = sequence
    self.tag = tag
    self.fields = fields
    self.hasAssets = hasAssets
    self.parent = parent
    self.createdAt = createdAt
    self.createdBy = createdBy
    self.modifiedAt = modifiedAt
    self.modifiedBy = modifiedBy
    self.isDeleted = isDeleted
    self.bytes = bytes
  }

  package var changeTag: String { String(tag, radix: 36) }
}

/// One history of the service.
///
/// A restored backup begins a new one.
package struct Epoch: Sendable, Hashable {
  /// Counts the restores; part of every change tag, so that none is given twice.
  package var number: Int64
  /// Random; part of every change token.
  package var id: Int64

  package init(number: Int64, id: Int64) {
    self.number = number
    self.id = id
  }

  /// The tag for a change at that place in a zone.
  func tag(_ sequence: Int64) -> Int64 { number << 40 | sequence }
}

/// A reference out of a record that the service has to watch over.
package struct StoredPointer: Sendable, Hashable {
  package var field: String
  package var target: String
  package var action: WireReference.Action

  package init(field: String, target: String, action: WireReference.Action) {
    self.field = field
    self.target = target
    self.action = action
  }
}

/// A file that a record refers to.
package struct StoredAssetUse: Sendable, Hashable {
  package var field: String
  /// Hex SHA-256.
  package var digest: String
  package var bytes: Int64

  package init(field: String, digest: String, bytes: Int64) {
    self.field = field
    self.digest = digest
    self.bytes = bytes
  }
}
