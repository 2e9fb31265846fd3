// What went wrong, as states hold it: data that can be compared. Sentences are made in Wording.

package import RecordStore

/// Why an intention could not be carried out.
package enum Failure: Error, Sendable, Hashable {
  /// The store refused or failed; nothing was written.
  case store(StoreError)
  /// The person stopped it; nothing was written.
  case stopped
  /// An error of another kind, by its own description.
  case unknown(String)

  package init(_ error: any Error) {
    self =
      switch error {
      case let error as StoreError: .store(error)
      case let error as Failure: error
      case is CancellationError: .stopped
      default: .unknown(String(describing: error))
      }
  }
}
