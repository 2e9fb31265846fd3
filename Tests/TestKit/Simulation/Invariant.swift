// What must hold once the network is whole again and everybody is quiet. Each has a checker, and a
// saboteur that makes it fail.

package enum Invariant: String, Sendable, CaseIterable {
  /// Records, conflicts with their sides and bases, and what is shown are alike in all libraries.
  case librariesAreEqual
  /// All libraries have one model.
  case modelsAreEqual
  /// A save that was acknowledged is shown, or replaced by one that knew it, or in a conflict; and
  /// what was replaced does not come back.
  case savesStand
  /// What was deleted is there again only if somebody restored it or wrote unseen by the delete.
  case deletionsStand
  /// What failed or was refused left nothing behind.
  case failuresLeaveNothing
  /// A refusal has a reason that a person can act on: never a bare error of SQLite, never damage.
  case refusalsAreReasoned
  /// Nothing is pending, parked or held back.
  case nothingIsPending
  /// A draft that is open holds what was typed into it, over whatever it began with.
  case draftsAreUntouched
  /// What was cancelled is nowhere: in no record, no history, no request.
  case cancelledIsNowhere
  /// Events begin and end one after the other; import follows setup, export follows import.
  case eventsAreNested
  /// Events count what went over the network, and lists count what is there.
  case countsAddUp
  /// A counter is the sum of all that was added to it anywhere, each addition once.
  case countersAddUp
  /// Each library writes as a device of its own, copies of another too.
  case devicesAreDistinct
  /// Where all is well the status says so, and it never says so while something is pending.
  case statusIsHonest
  /// The library's file is sound, as its doctor sees it.
  case librariesAreSound
}

/// Something that is not as it must be.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
  package let invariant: Invariant
  package let text: String

  package init(_ invariant: Invariant, _ text: String) {
    self.invariant = invariant
    self.text = text
  }

  package var description: String { "\(invariant.rawValue): \(text)" }
}
