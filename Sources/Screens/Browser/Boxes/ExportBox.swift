// Writing a list, or its marked records, to a file. UI actor.

internal import RecordStore
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// Asks for the file; its ending says the format.
  func askExport(_ pane: ListPane) {
    let model = pane.model
    let marked = model.state.markedCount
    let prompt = Prompt(
      stage: stage, title: words.exportTitle,
      explanation: words.exportExplained(
        marked > 0 ? marked : model.state.count, isMarked: marked > 0)
    ) { path in
      guard let format = Self.format(of: path) else { return }
      Task { @UI in await model.export(to: FilePaths.absolute(path), format: format) }
    }
    prompt.completions = { FilePaths.completions(of: $0) }
    prompt.check = { [words] path in
      if path.isEmpty { return words.pathNeeded }
      if Self.format(of: path) == nil { return words.exportEndings }
      return FilePaths.exists(path) ? words.pathTaken : nil
    }
    stage.push(prompt)
  }

  private static func format(of path: String) -> ExportFormat? {
    let ending = path.split(separator: ".").last.map { $0.lowercased() }
    return switch ending {
    case "csv": .csv
    case "json": .json
    case "ndjson", "jsonl": .ndjson
    default: nil
    }
  }
}
