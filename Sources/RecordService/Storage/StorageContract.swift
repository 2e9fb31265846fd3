// The storage contract. What stands above it knows zones and records, no SQL.
//
// C1. `write` runs its body in one transaction: all of it or nothing, durable when it returns.
// C2. Sequences of one zone are given in the order of the commits: a reader that has seen n has
//     seen, or can see, all below n. Zones are independent: nothing orders one against another.
// C3. `read` runs its body on one snapshot.
// C4. Every record statement names one zone. Nothing on the hot path spans two, so that zones can
//     live on different servers. The database's sequence is a row of its owner alone.
// C5. A commit wakes those who wait on the database, in every process.
// C6. Bodies are short, may be run again after a failure that had no effect, and never wait.
// C7. The last room is kept for what makes room: when little is left, a body that adds is refused
//     with `StorageFault.full` before it runs, and one that frees still runs.
//
// `StorageContractTests` runs against any implementation.

package import CloudKitWire

/// A place where records are kept.
package protocol RecordStorage: Sendable {
  /// Runs a body on one snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageReading) throws -> Value
  ) async throws -> Value

  /// Runs a body in one transaction; what it throws undoes it.
  func write<Value: Sendable>(
    _ purpose: WritePurpose, _ body: @escaping @Sendable (any StorageWriting) throws -> Value
  ) async throws -> Value

  /// Tells those who wait that a database has changed.
  var signal: ChangeSignal { get }

  /// Ends the use of the storage after what is queued has been written; blocks no task's thread.
  func close() async throws
}

/// What a transaction does to the room that is left.
package enum WritePurpose: Sendable, Hashable {
  case adding
  /// It deletes, and may use the room that is kept back for that.
  case freeing
}

extension RecordStorage {
  /// Runs a body that may add in one transaction.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageWriting) throws -> Value
  ) async throws -> Value {
    try await write(.adding, body)
  }
}

/// What can be asked of a snapshot.
package protocol StorageReading: ZoneReading, AccountReading, PushReading {}

/// What can be done in a transaction.
package protocol StorageWriting: StorageReading, ZoneWriting, AccountWriting, PushWriting,
  UpkeepWriting
{}

package protocol ZoneReading {
  func epoch() throws -> Epoch
  /// The living zone of that name.
  func zone(named name: String, in database: DatabaseKey) throws -> StoredZone?
  /// The living zones, by name.
  func zones(in database: DatabaseKey) throws -> [StoredZone]
  /// How many zones that user has in all his private databases, and with those whose deletion is
  /// remembered.
  func zoneCount(of owner: Int64) throws -> (living: Int, remembered: Int)
  /// Zones that changed after that sequence of the database, deleted ones too, oldest first.
  func zoneChanges(
    in database: DatabaseKey, after sequence: Int64, limit: Int
  ) throws -> [StoredZone]
  func databaseSequence(of database: DatabaseKey) throws -> Int64
  /// Up to which sequence the database has forgotten deleted zones.
  func databaseForgotten(of database: DatabaseKey) throws -> Int64
  /// Bytes that count against the quota, over all private databases of that user.
  func usedBytes(of owner: Int64) throws -> Int64

  /// The record or its tombstone.
  func record(named name: String, in zone: Int64) throws -> StoredRecord?
  /// Records and tombstones changed after that sequence, in change order, until the body says
  /// false.
  func changes(
    in zone: Int64, after sequence: Int64, _ body: (StoredRecord) throws -> Bool
  ) throws
  /// The same, newest first, below that sequence.
  func changesReversed(
    in zone: Int64, before sequence: Int64, _ body: (StoredRecord) throws -> Bool
  ) throws
  /// The living records of a type, by name, after that name, until the body says false.
  func records(
    of type: String, in zone: Int64, after name: String,
    _ body: (StoredRecord) throws -> Bool
  ) throws
  func fieldTypes(of type: String, in zone: Int64) throws -> [String: FieldType]
  func indexes(of type: String, in zone: Int64) throws -> [StoredIndex]
  /// The names of an index that have that value, in their order, after that name, until the body
  /// says false.
  func names(
    having value: IndexedValue, in index: Int64, after name: String,
    _ body: (String) throws -> Bool
  ) throws
  /// Records that point at that one with that action, as (record, field).
  func sources(
    of target: String, in zone: Int64, action: WireReference.Action, limit: Int
  ) throws -> [(record: String, field: String)]
  func assetUses(of record: String, in zone: Int64) throws -> [StoredAssetUse]
  /// Those of the files to which no record refers.
  ///
  /// Off the hot path: it looks at all zones.
  func unusedAssets(among digests: [String]) throws -> [String]
  /// The answer that was given to that key.
  func answer(to key: String) throws -> [UInt8]?
}

package protocol ZoneWriting {
  /// Makes the zone; its sequence goes on where an earlier one of that name ended.
  func makeZone(
    named name: String, in database: DatabaseKey, at milliseconds: Int64
  ) throws -> StoredZone
  /// Deletes the zone and its records, and leaves word of it in the database's feed.
  func deleteZone(
    _ zone: StoredZone, in database: DatabaseKey, at milliseconds: Int64
  ) throws
  /// Writes the record or tombstone over whatever has its name.
  func save(_ record: StoredRecord, in zone: Int64) throws
  /// Moves the zone on to that sequence, its bytes by that difference, and the database on by one.
  ///
  /// Once a zone and transaction, after its records.
  func advance(
    _ zone: StoredZone, to sequence: Int64, bytes: Int64, in database: DatabaseKey
  ) throws
  func setFieldType(_ type: FieldType, of field: String, type recordType: String, in zone: Int64)
    throws
  /// Begins an index, which covers nothing yet.
  func addIndex(of field: String, type: String, in zone: Int64) throws -> StoredIndex
  /// Says that the index covers all records of its type up to that name.
  func extend(_ index: Int64, upTo name: String) throws
  func note(_ value: IndexedValue, of record: String, in index: Int64) throws
  func drop(_ value: IndexedValue, of record: String, in index: Int64) throws
  func setPointers(_ pointers: [StoredPointer], of record: String, in zone: Int64) throws
  func setAssetUses(_ uses: [StoredAssetUse], of record: String, in zone: Int64) throws
  /// Remembers an answer for a repetition of its request.
  func remember(_ answer: [UInt8], to key: String, at milliseconds: Int64) throws
}

/// What is thrown away when its time is over.
package protocol UpkeepWriting {
  /// Forgets tombstones and deleted zones of before then, a bounded number at a time; true when
  /// there is more.
  ///
  /// Zones and databases remember up to where they forgot.
  func forgetTombstones(before milliseconds: Int64, limit: Int) throws -> Bool
  func forgetAnswers(before milliseconds: Int64) throws
  func forgetNotifications(before milliseconds: Int64) throws
  /// Removes sessions, sign-in codes and digests of removed tokens that have had their time.
  func forgetExpired(at milliseconds: Int64) throws
  /// Begins a new history: no token of before is taken any more, no tag given twice.
  func beginEpoch(id: Int64) throws
}
