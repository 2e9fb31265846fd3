// One record, live: its fields, what they point to, what points to it, its conflicts. A record that
// vanishes is a state to show. UI actor; every read runs in the store, and the newest one counts.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do with one record.
@UI @Observable
package final class RecordViewModel {
  package private(set) var state: RecordViewState

  @ObservationIgnored package let library: Library
  @ObservationIgnored let time: TimeSource
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var subscriptions: [Subscription] = []
  @ObservationIgnored private var reads = Newest()
  /// All records that the state names: a change of any of them changes what is shown.
  @ObservationIgnored private var named: Set<RecordReference> = []

  package convenience init(
    library: Library, reference: RecordReference, time: @escaping TimeSource
  ) {
    self.init(library: library, reference: reference, time: time, known: nil)
  }

  /// - Parameter known: What was read of the record before; it is read again.
  init(
    library: Library, reference: RecordReference, time: @escaping TimeSource,
    known: RecordReading.Answer?
  ) {
    self.library = library
    self.time = time
    state =
      known?.state
      ?? RecordViewState(reference: reference, type: library.model.type(reference.type))
    named = known?.named ?? []
  }

  /// Reads the record and begins to follow it.
  package func start() async {
    subscriptions = [
      Subscription(library.commits()) { [weak self] in self?.noticed($0) },
      Subscription(library.syncNotices()) { [weak self] in self?.noticedSync() },
    ]
    await read()
  }

  package func stop() { subscriptions = [] }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  private func noticed(_ commit: Commit) {
    let mayRefer = library.model.types.contains { type in
      commit.touches(type.id) && type.fields.contains { $0.type.target == state.reference.type }
    }
    guard
      mayRefer || commit.modelChanged || commit.touches(state.reference)
        || named.contains(where: { commit.touches($0) })
    else { return }
    errands.run { [weak self] in await self?.read() }
  }

  /// The content of an attachment arrives without a commit.
  private func noticedSync() {
    guard state.fields.contains(where: \.isContentMissing) else { return }
    errands.run { [weak self] in await self?.read() }
  }

  private func read() async {
    let ticket = reads.ticket()
    let reading = RecordReading(library: library, reference: state.reference, time: time())
    do {
      let answer = try await reading.read()
      guard reads.take(ticket) else { return }
      guard var answer else {
        // What was known stays, so that a person sees what is gone.
        if state.phase != .gone { state.phase = .gone }
        return
      }
      named = answer.named
      answer.state.failure = state.failure
      if answer.state != state { state = answer.state }
    } catch {
      guard reads.take(ticket) else { return }
      state.phase = .failed(Failure(error))
    }
  }

  // MARK: Intentions

  /// A form on a detached copy; nothing while the record is not there.
  package func edit() async -> EditorViewModel? {
    do {
      let reference = state.reference
      guard let snapshot = try await library.snapshot(reference.type, reference.id),
        !snapshot.isDeleted
      else {
        await read()
        return nil
      }
      let draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
      return EditorViewModel(library: library, draft: draft, time: time)
    } catch {
      state.failure = Failure(error)
      return nil
    }
  }

  /// Moves the record to the trash.
  package func delete() async {
    await write { try await $0.delete($1.type, [$1.id]) }
  }

  /// Takes the record out of the trash.
  package func restore() async {
    await write { try await $0.restore($1.type, [$1.id]) }
  }

  /// Writes an attachment's content to a new file.
  package func save(_ attachment: Attachment, to path: String) async {
    do {
      try await library.saveAttachment(attachment, to: path)
      state.failure = nil
    } catch {
      state.failure = Failure(error)
    }
  }

  /// Settles a conflict with one of its sides.
  ///
  /// - Parameters:
  ///   - index: Of `state.conflicts`.
  ///   - side: Of its sides, the shown one first.
  package func resolve(_ index: Int, taking side: Int) async {
    guard state.conflicts.indices.contains(index) else { return }
    let conflict = state.conflicts[index].conflict
    guard conflict.sides.indices.contains(side) else { return }
    let value = conflict.sides[side].value
    await write {
      try await $0.resolve($1.type, $1.id, field: conflict.field, value: value)
    }
  }

  /// Settles all conflicts with the sides that are shown now, in one save.
  package func resolveAllShown() async {
    let choices = state.conflicts.compactMap { entry in
      entry.conflict.sides.first.map {
        ConflictChoice(
          record: state.reference, field: entry.conflict.field, value: $0.value)
      }
    }
    await write { library, _ in try await library.resolve(choices) }
  }

  private func write(
    _ body: (Library, RecordReference) async throws -> WriteResult
  ) async {
    do {
      _ = try await body(library, state.reference)
      state.failure = nil
    } catch {
      state.failure = Failure(error)
    }
    await read()
  }
}
