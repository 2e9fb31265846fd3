// Importing a table: what the file is taken for, where its columns go, a dry run, the import with
// its progress, and the rows that it refused. UI actor; reading and writing run in the store.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do with a file that they import.
@UI @Observable
package final class ImportViewModel {
  /// Rows shown in the preview.
  package static let previewRows = 20

  package private(set) var state: ImportState

  @ObservationIgnored package let library: Library
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var looks = Newest()
  @ObservationIgnored private var running: Task<ImportReport, any Error>?
  @ObservationIgnored private var began: Int64 = 0
  /// Whether a type may still be proposed: none was named.
  @ObservationIgnored private var isProposing: Bool
  @ObservationIgnored private let standingOn: TypeID?
  @ObservationIgnored private var isKeyChosen = false
  /// Whether the settings as they are could be understood.
  @ObservationIgnored private var isUnderstood = false

  /// - Parameters:
  ///   - typeName: Nothing: a type of the library that has a field for every column is proposed, or
  ///     else a new one, called as the file.
  ///   - standingOn: The type that is proposed before others.
  package init(
    library: Library, path: String, typeName: String? = nil, standingOn: TypeID? = nil,
    time: @escaping TimeSource
  ) {
    self.library = library
    self.time = time
    self.standingOn = standingOn
    isProposing = typeName == nil
    state = ImportState(path: path, typeName: typeName ?? ImportName.type(of: path))
  }

  /// Looks at the file.
  package func start() async {
    if isProposing { await proposeFitting() }
    if state.phase == .reading { look() }
    await idle()
  }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  // MARK: Settings

  package func setType(_ name: String) {
    isProposing = false
    change { $0.typeName = name }
  }

  /// - Parameter encoding: Nothing: told from the file.
  package func setEncoding(_ encoding: TextEncoding?) { change { $0.encoding = encoding } }

  /// - Parameter format: Nothing: told from the file.
  package func setFormat(_ format: TableFormat?) { change { $0.format = format } }

  /// - Parameter key: A field or a column; nothing: every row is a new record, but for types with
  ///   a natural key.
  package func setKey(_ key: String?) {
    isKeyChosen = true
    change { $0.key = key }
  }

  /// Sends a column into a field.
  ///
  /// - Parameter field: By name; empty: the column is left out; nothing: as its own name says.
  package func map(_ column: String, to field: String?) { change { $0.map[column] = field } }

  /// Leaves out all columns that the type has no field for.
  package func leaveOutUnmapped() {
    let columns = state.unmapped
    change { state in for column in columns { state.map[column] = "" } }
  }

  private func change(_ body: (inout ImportState) -> Void) {
    guard state.phase == .mapping || state.phase == .reading else { return }
    var next = state
    body(&next)
    guard next != state else { return }
    next.trial = nil
    state = next
    look()
  }

  private var request: ImportRequest {
    var request = ImportRequest(path: state.path, type: state.typeName, time: time())
    request.key = state.key
    request.map = state.map
    request.encoding = state.encoding
    request.format = state.format
    return request
  }

  /// Reads the file's beginning with the settings as they are; the newest look counts.
  private func look() {
    let ticket = looks.ticket()
    let request = request
    isUnderstood = false
    state.phase = .reading
    errands.run { [weak self] in await self?.look(request, ticket: ticket) }
  }

  private func look(_ request: ImportRequest, ticket: Int) async {
    guard looks.isCurrent(ticket), state.phase == .reading else { return }
    do {
      let preview = try await library.previewImport(request, rows: Self.previewRows)
      guard looks.isCurrent(ticket), state.phase == .reading else { return }
      if proposeAnother(than: preview) { return }
      isUnderstood = true
      state.preview = preview
      state.failure = nil
      proposeKey(in: preview)
    } catch {
      guard looks.isCurrent(ticket), state.phase == .reading else { return }
      state.failure = ImportFailure(error)
    }
    state.phase = .mapping
  }

  // MARK: Proposing

  /// Proposes the type that the file is called after, or the one the person stands on, where it has a
  /// field for every column: this reads little more than the file's header.
  private func proposeFitting() async {
    let types = library.model.visibleTypes
    let named = types.first { $0.name == state.typeName }
    let near = types.first { $0.id == standingOn }
    for type in [named, near].compactMap(\.self) {
      var request = request
      request.type = type.name
      do {
        _ = try await library.previewImport(request, rows: 0)
        // Left, or settled by hand, while the file was looked at.
        guard isProposing, state.phase == .reading else { return }
        state.typeName = type.name
        isProposing = false
        return
      } catch ImportError.unmapped {
        continue
      } catch {
        // The look that follows meets it again, and shows it.
        return
      }
    }
  }

  /// Looks again with a type of the library that has a field for every column of the file.
  private func proposeAnother(than preview: ImportPreview) -> Bool {
    guard isProposing, preview.isNewType else { return false }
    isProposing = false
    guard let type = ImportProposal.type(for: preview.columns, among: library.model.visibleTypes)
    else { return false }
    state.typeName = type.name
    look()
    return true
  }

  /// A field that is unique finds the record that a row is about; without it the second import of a
  /// file would be refused row by row.
  private func proposeKey(in preview: ImportPreview) {
    guard !isKeyChosen, !preview.isNewType, state.ownKey == nil else { return }
    state.key =
      preview.fields.lazy.compactMap { $0.flatMap(preview.type.field) }
      .first(where: \.unique)?.name
  }

  // MARK: Running

  /// Does the whole import and takes it back: what would be added, updated and refused.
  package func tryOut() async {
    guard let report = await run(.trying, isDryRun: true) else { return }
    state.trial = report
    state.phase = .mapping
  }

  /// Imports: one transaction, one undo, whole or not at all.
  @discardableResult
  package func run() async -> Bool {
    guard let report = await run(.importing, isDryRun: false) else { return false }
    state.phase = .done(report)
    return true
  }

  private func run(_ phase: ImportPhase, isDryRun: Bool) async -> ImportReport? {
    guard state.phase == .mapping, isUnderstood else { return nil }
    state.failure = nil
    var request = request
    request.isDryRun = isDryRun
    state.phase = phase
    state.progress = nil
    began = library.surroundings.milliseconds()
    let (library, checked) = (library, request)
    let show: @UI @Sendable (ImportProgress) -> Void = { [weak self] in self?.show($0) }
    let task = Task {
      try await library.importTable(checked) { progress in Task { @UI in show(progress) } }
    }
    running = task
    defer { running = nil }
    do {
      return try await task.value
    } catch is CancellationError {
      state.phase = isDryRun ? .mapping : .cancelled
    } catch {
      state.phase = .mapping
      state.failure = ImportFailure(error)
      state.hasFailedTrying = isDryRun
    }
    return nil
  }

  private func show(_ progress: ImportProgress) {
    guard state.isRunning else { return }
    state.progress = progress
    state.elapsedMilliseconds = library.surroundings.milliseconds() - began
  }

  // MARK: Leaving

  /// Ends a running import, which takes back what it did; leaves the screen otherwise.
  package func cancel() {
    if let running {
      running.cancel()
    } else if case .done = state.phase {
      return
    } else {
      state.phase = .cancelled
    }
  }

  /// Takes a finished import back; answers why not.
  package func undo(progress: @escaping WriteTelling = { _ in }) async -> Failure? {
    guard case .done(let report) = state.phase, let number = report.transaction else { return nil }
    do {
      _ = try await library.undo(number, progress: progress)
      state.phase = .cancelled
      return nil
    } catch {
      return Failure(error)
    }
  }
}

/// What a type is called that is made from a file.
enum ImportName {
  /// The file's name as a type's name: `japan-postal.csv` is `JapanPostal`.
  static func type(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    let stem = file.split(separator: ".").first ?? file
    let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let bounded = String(name.prefix(NameRule.lengthMax))
    return NameRule.allows(bounded) ? bounded : "Record"
  }
}
