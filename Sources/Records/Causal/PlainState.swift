// The state of most records, without its registers: all fields were written at once, and by nobody
// since. A first sync brings them by the thousand, and a table of registers each would be most of
// its work. Pure values.

/// A record whose fields were all written at one stamp, and whose vector says nothing else.
///
/// It stands for the state that ``StateCodec`` keeps no bytes for.
package struct PlainState: Sendable, Hashable {
  package let stamp: Stamp
  /// By the places of the type's fields; `.empty` where nothing was written.
  package let values: [Value]

  package init(stamp: Stamp, values: [Value]) {
    self.stamp = stamp
    self.values = values
  }

  /// The same with all its registers.
  ///
  /// - Parameter type: The type by whose fields the values are ordered.
  package func state(in type: RecordType) -> RecordState {
    var shown: [FieldID: Value] = [:]
    for (field, value) in zip(type.fields, values) where !value.isEmpty { shown[field.id] = value }
    return StateCodec.plain(StateCodec.Row(type: type, shown: shown, newest: stamp))
  }
}
