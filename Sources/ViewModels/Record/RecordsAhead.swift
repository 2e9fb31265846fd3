// Records read before a person comes to them, so that a step in a list shows the next one in the same
// frame. UI actor; what is here may be a moment old, and its reader looks again.

internal import RecordStore
internal import Records
internal import UILoop

/// The few records next to the one that is looked at.
@UI
final class RecordsAhead {
  private let library: Library
  private let time: TimeSource
  private var answers: [RecordReference: RecordReading.Answer] = [:]
  private var wanted: Set<RecordReference> = []
  /// Counts up when what was read may be old.
  private var age = 0

  init(library: Library, time: @escaping TimeSource) {
    self.library = library
    self.time = time
  }

  func answer(for reference: RecordReference) -> RecordReading.Answer? { answers[reference] }

  /// Reads these records if they are not here, and forgets all others but one.
  func read(_ references: [RecordReference], keeping shown: RecordReference) async {
    wanted = Set(references + [shown])
    answers = answers.filter { wanted.contains($0.key) }
    for reference in references where answers[reference] == nil {
      let begun = age
      let reading = RecordReading(library: library, reference: reference, time: time())
      // What can't be read now is asked for again by who shows it, and told there.
      let answer = try? await reading.read()
      guard begun == age, wanted.contains(reference) else { return }
      answers[reference] = answer
    }
  }

  /// Something changed in the library.
  func forget() {
    age += 1
    answers = [:]
  }
}
