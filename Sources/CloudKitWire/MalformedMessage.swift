/// A body that is not the JSON, or not the message, that it should be.
///
/// Carries a reason in words for a developer and where the reader stood; never a value of the
/// message itself, so that it can be logged.
package struct MalformedMessage: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong, as a clause: "a string was expected".
  package let reason: String
  /// The byte offset in the body.
  package let offset: Int

  package init(_ reason: String, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  package var description: String { "\(reason) at byte \(offset)" }
}
