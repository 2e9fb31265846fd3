// Importing a table: what was understood of the file, where its columns go, a try, the import with its
// progress, what was refused. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// One file on its way in.
@UI
final class ImportScreen: DeskLayer {
  let desk: Desk
  let model: ImportViewModel
  let list: ListView
  private let rows = ListRows()
  let viewer = TextViewer()
  private var following: Following?
  private var isAsking = false

  init(desk: Desk, model: ImportViewModel) {
    self.desk = desk
    self.model = model
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "column", desk.words.column, width: Share(minimum: 8, weight: 2, priority: 3)),
        TerminalKit.ListColumn(
          "field", desk.words.field, width: Share(minimum: 8, weight: 2, priority: 4)),
        TerminalKit.ListColumn(
          "type", desk.words.fieldTypeTitle,
          width: Share(minimum: 6, maximum: 14, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "sample", desk.words.samples, width: Share(minimum: 10, weight: 4, priority: 2)),
      ], source: rows)
    list.onOpen = { [unowned self] _ in chooseField() }
    following = desk.stage.follow { [unowned self] in noticed() }
    Task { @UI [model] in await model.start() }
  }

  var title: String { words.importOf(fileName) }

  private var fileName: String {
    model.state.path.split(separator: "/").last.map(String.init) ?? model.state.path
  }

  var statusLine: StyledText {
    switch model.state.phase {
    case .reading: StyledText(words.readingFile, .dim)
    case .mapping, .trying, .importing, .done, .cancelled: StyledText()
    }
  }

  private func noticed() {
    let phase = model.state.phase
    if case .cancelled = phase {
      Task { @UI [weak self] in
        guard let self, following != nil else { return }
        following = nil
        stage.close(self)
        desk.say(words.importCancelled)
      }
    }
  }

  // MARK: Drawing

  func handle(_ event: InputEvent) -> Bool {
    isReading ? viewer.handle(event) : list.handle(event)
  }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    for (text, role) in headLines {
      for line in Wrapping.lines(of: text, columns: max(1, area.columns - 2)).prefix(3) {
        guard area.rows > 3 else { break }
        grid.put(line, in: area.takeRows(1).inset(columns: 1), Style(role))
      }
    }
    if let report, !report.refused.isEmpty {
      viewer.lines = report.refused.prefix(500).map {
        StyledText(
          words.importing.refused(
            line: $0.line, element: $0.element, words.clause(for: $0.reason)))
      }
      guard !isReading else {
        viewer.draw(in: area.inset(columns: 1), on: &grid, isFocused: true)
        return
      }
      // The columns stay: what was refused is mended there.
      let below = area.takeRows(-min(area.rows / 2, report.refused.count + 1))
      grid.horizontalLine(below.line(0))
      var rest = below
      _ = rest.takeRows(1)
      viewer.draw(in: rest.inset(columns: 1), on: &grid, isFocused: false)
    }
    rows.rows = model.state.columns.map { column in
      let field = column.field
      let type = model.state.preview?.type
      let kind = field.map {
        words.fieldType($0.type, in: type.map { Model(types: [$0]) } ?? Model())
      }
      return TerminalKit.ListRow([
        ListCell(column.name),
        field.map { ListCell($0.title, .accent) } ?? ListCell(words.leftOut, .dim),
        ListCell(kind ?? "", .dim),
        ListCell(column.samples.prefix(5).joined(separator: " · "), .dim),
      ])
    }
    list.emptyText = model.state.phase == .reading ? words.readingFile : ""
    list.draw(in: area, on: &grid, isFocused: true)
  }

  /// Whether what was refused has the screen: nothing is left to be settled.
  var isReading: Bool {
    if case .done(let report) = model.state.phase { return !report.refused.isEmpty }
    return false
  }

  private var report: ImportReport? {
    if case .done(let report) = model.state.phase { return report }
    // None was taken: the reasons are what one needs most.
    if case .table(.tookNone(let report)) = model.state.failure { return report }
    return model.state.trial
  }

  private var meter: ImportMeter {
    let state = model.state
    return ImportMeter(
      words: words, isExamining: state.progress?.phase == .examining,
      isTrying: state.phase == .trying,
      fraction: state.progress.map { Double($0.bytes) / Double(max(1, $0.totalBytes)) },
      rows: state.progress?.rows ?? 0, milliseconds: state.elapsedMilliseconds)
  }

  /// A try that took no row is no import that failed.
  private func sentence(for failure: ImportFailure) -> String {
    guard model.state.hasFailedTrying, case .table(.tookNone(let report)) = failure,
      report.refusedCount > 0
    else {
      return words.sentence(for: failure, in: desk.model)
    }
    return words.tried + " " + words.wouldTakeNone(of: report.refusedCount)
  }

  private var headLines: [(String, Role)] {
    let state = model.state
    var lines: [(String, Role)] = []
    if let preview = state.preview {
      lines.append(
        (
          words.importInto(
            preview.type.displayName, isNew: preview.isNewType, key: state.keyTitle), .text
        ))
      let read = words.readAs(preview.encoding, preview.format)
      lines.append((state.phase == .mapping ? read + words.readOtherwise : read, .dim))
    }
    if state.isRunning { lines.append((meter.text, .accent)) }
    if let failure = state.failure {
      lines.append((sentence(for: failure), .error))
    }
    if let report, state.failure == nil {
      let outcome = words.importing.outcome(
        added: report.added, updated: report.updated, unchanged: report.unchanged,
        refused: report.refusedCount)
      if case .done = state.phase {
        lines.append((words.sentence(outcome) + " " + words.importUndoHint, .success))
      } else {
        lines.append((words.tried + " " + words.sentence(outcome), .accent))
      }
    }
    return lines
  }
}

extension Desk {
  /// Asks for the file, then shows what is in it.
  func openImport() {
    let prompt = Prompt(
      stage: stage, title: words.importTitle, explanation: words.importExplained
    ) { [weak self] path in
      guard let self else { return }
      let model = library.importer(
        FilePaths.absolute(path), standingOn: browser?.listPane?.model.state.type.id)
      stage.push(ImportScreen(desk: self, model: model))
    }
    prompt.completions = { FilePaths.completions(of: $0) }
    prompt.check = { [words] path in
      if FilePaths.isFile(path) { return nil }
      return FilePaths.isFolder(path) ? words.folderGoOn : words.noSuchFile
    }
    stage.push(prompt)
  }
}
