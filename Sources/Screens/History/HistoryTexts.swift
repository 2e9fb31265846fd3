// Saved changes as rows and as text. Pure, but for the local zone.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import ViewModels
internal import Wording

/// Makes the texts of the history.
struct HistoryTexts {
  /// Records shown of a change that touched many.
  private static let recordsMax = 200

  let values: ValueWords
  let words: Words
  let model: Model

  func row(of entry: TransactionEntry) -> TerminalKit.ListRow {
    let isUndone = entry.undoneBy != nil
    let role: Role = isUndone ? .dim : .text
    return TerminalKit.ListRow(
      [
        ListCell(String(entry.number), .dim), ListCell(values.time(entry.at), role),
        ListCell(summary(of: entry), role), ListCell(entry.author, .dim),
        ListCell(words.origin(entry.origin), .dim),
      ], badge: isUndone ? ListCell("↶", .dim) : nil)
  }

  /// `Kyoto: name, notes`, `12 records`.
  func summary(of entry: TransactionEntry) -> String {
    if let undone = entry.undoes { return words.undoOf(undone) }
    if entry.recordCount == 1, let change = entry.changes.first {
      let title = title(of: change)
      guard change.kind == .update else { return "\(words.verb(change.kind)): \(title)" }
      let names = names(of: change).joined(separator: ", ")
      return names.isEmpty ? title : "\(title): \(names)"
    }
    if entry.recordCount == 0 { return words.origin(entry.origin) }
    let kinds = Set(entry.changes.map(\.kind))
    let count = words.records(entry.recordCount)
    guard kinds.count == 1, let kind = kinds.first else { return count }
    return "\(words.verb(kind)): \(count)"
  }

  func title(of change: RecordChange) -> String {
    change.title.isEmpty ? words.untitled : change.title
  }

  private func names(of change: RecordChange) -> [String] {
    let type = model.type(change.record.type)
    return change.fields.keys.sorted().map { type?.field($0)?.title ?? $0.name }
  }

  /// All that is known of a change.
  func lines(of entry: TransactionEntry, changes: [RecordChange]?) -> [StyledText] {
    var lines = [
      StyledText(words.transaction(entry.number), Style(.heading)),
      StyledText(words.by(entry.author, entry.deviceName, values.time(entry.at)), .dim),
    ]
    if let note = entry.note, !note.isEmpty { lines.append(StyledText(note, .dim)) }
    if let undone = entry.undoes { lines.append(StyledText(words.undoOf(undone), .dim)) }
    if let by = entry.undoneBy {
      lines.append(StyledText(words.undoneAlready(by: by), Style(.warning)))
    }
    let shown = (changes ?? entry.changes).prefix(Self.recordsMax)
    for change in shown { lines += self.lines(of: change) }
    if entry.recordCount > shown.count {
      lines.append(StyledText())
      lines.append(StyledText(words.moreRecords(entry.recordCount - shown.count), .dim))
    }
    return lines
  }

  private func lines(of change: RecordChange) -> [StyledText] {
    let type = model.type(change.record.type)
    var head = StyledText(words.verb(change.kind) + " ", Style(role(of: change.kind)))
    head.append(title(of: change), Style(.title))
    head.append("  " + (type?.displayName ?? change.record.type.name), .dim)
    var lines = [StyledText(), head]
    let order = type?.fields.map(\.id) ?? []
    let known = order.filter { change.fields[$0] != nil }
    let rest = change.fields.keys.filter { !order.contains($0) }.sorted()
    for id in known + rest {
      guard let field = change.fields[id] else { continue }
      let name = type?.field(id)?.title ?? id.name
      lines += fieldLines(name, before: values.line(field.before), after: values.line(field.after))
    }
    return lines
  }

  private func fieldLines(_ name: String, before: String, after: String) -> [StyledText] {
    var first = StyledText("  \(name): ", Style(.label))
    if before.isEmpty {
      first.append("+ " + after, Style(.inserted))
      return [first]
    }
    if after.isEmpty {
      first.append("- " + before, Style(.removed))
      return [first]
    }
    if before.count + after.count < 60 {
      first.append(before, Style(.removed))
      first.append(" → ", .dim)
      first.append(after, Style(.inserted))
      return [first]
    }
    return [
      first, StyledText("  - " + before, Style(.removed)),
      StyledText("  + " + after, Style(.inserted)),
    ]
  }

  private func role(of kind: ChangeKind) -> Role {
    switch kind {
    case .insert, .restore: .inserted
    case .delete, .purge: .removed
    case .update: .changed
    }
  }
}
