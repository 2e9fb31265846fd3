// Identity by natural key: the same key on two machines is the same record (DESIGN.md 2).

internal import Crypto
internal import GRDB
internal import Records

/// Ids of records whose type declares a key.
enum NaturalKey {
  /// The namespace of all natural keys, drawn once: 6a1f3c52-9d0e-4b77-8c41-2f5de0a9b613.
  private static let space = RecordID(high: 0x6A1F_3C52_9D0E_4B77, low: 0x8C41_2F5D_E0A9_B613)

  /// The id of the record of a type that has a key: UUID version 5 of the type's permanent id, a
  /// zero byte, and the key in its canonical text.
  static func id(type: TypeID, key: Value) -> RecordID? {
    guard let text = key.plainText else { return nil }
    return id(type: type, canonical: text.utf8)
  }

  static func id(type: TypeID, canonical key: some Sequence<UInt8>) -> RecordID? {
    var hash = Insecure.SHA1()
    hash.update(data: space.bytes)
    hash.update(data: Array(type.name.utf8))
    hash.update(data: [0])
    hash.update(data: Array(key))
    return RecordID(version5Digest: Array(hash.finalize()))
  }
}

extension WriteDoor {
  /// The id that a new record gets.
  ///
  /// Its natural key's, if it has one and no record with another key has that id.
  func identity(of draft: Draft, type: RecordType) throws -> RecordID {
    guard let key = type.key, let value = draft.value(of: key), !value.isEmpty else {
      return draft.record
    }
    return try identity(key: value, type: type) ?? draft.record
  }

  /// The id that a key asks for, unless a record whose key has changed since has it.
  func identity(key: Value, type: RecordType) throws -> RecordID? {
    guard let field = type.key, let id = NaturalKey.id(type: type.id, key: key) else { return nil }
    guard let owner = try reading.record(type, id) else {
      let purged = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT 1 FROM _purged WHERE id = ?"),
        arguments: [ColumnCodec.stored(id)])
      return purged == nil ? id : nil
    }
    return owner.shown[field] == key && owner.isDeleted ? id : nil
  }
}
