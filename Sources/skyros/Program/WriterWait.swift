// A write that may have to wait behind another process: who waits is told so in one line, and Ctrl-C
// ends the wait.

internal import RecordStore
internal import Wording

/// A write of one command.
enum WriterWait {
  /// Most writes of others are over sooner, and nobody needs to hear of them.
  private static let patience = Duration.milliseconds(500)

  /// Runs `work`; INT and TERM cancel it.
  ///
  /// - Throws: ``Failure/interrupted`` when it was stopped: nothing was written then.
  static func telling<T: Sendable>(
    in library: Library, _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    let activity = library.activity
    let listener = Task { await listen(to: activity) }
    defer { listener.cancel() }
    do {
      return try await Interruption.cancelling(work)
    } catch is CancellationError {
      throw Failure.interrupted
    }
  }

  /// Says once that another process writes, when that has lasted a while.
  private static func listen(to activity: AsyncStream<WriterActivity>) async {
    var telling: Task<Void, Never>?
    defer { telling?.cancel() }
    for await now in activity {
      guard case .waiting(let other) = now else {
        telling?.cancel()
        continue
      }
      telling = Task {
        do {
          try await Task.sleep(for: patience)
        } catch {
          // It is over.
          return
        }
        Program.complain(Words.system.importing.waiting(behind: doing(other)))
      }
    }
  }

  /// What the other one does, out of what it wrote into the lock: `import` of
  /// `an import, process 4711`.
  static func doing(_ holder: String) -> String? {
    guard let comma = holder.firstIndex(of: ",") else { return nil }
    let words = holder[..<comma].split(separator: " ")
    let isArticle = words.count > 1 && ["a", "an", "the"].contains(words[0])
    return (isArticle ? words.dropFirst() : words[...]).joined(separator: " ")
  }
}
