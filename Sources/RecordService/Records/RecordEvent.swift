// What a modify did, for those who subscribed.

internal import CloudKitWire

struct RecordEvent {
  var kind: FiresOn
  /// As it is now; a deleted record as it was before.
  var record: StoredRecord
}
