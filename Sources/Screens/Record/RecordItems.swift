// What a record pane shows, as items that can be walked: fields, who refers to it, when it was
// made. Pure.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import ViewModels
internal import Wording

/// One thing on a record's page.
struct RecordItem: Equatable {
  enum Kind: Equatable {
    case field(FieldID)
    /// A record that this one is referred to by.
    case referrer
    case heading
    case note
  }

  let kind: Kind
  let label: String
  let text: String
  var role = Role.text
  /// What is wrong with the value, or that it is in conflict.
  var remark: String?
  var remarkRole = Role.error
  /// The records that can be gone to from here.
  var links: [RecordReference] = []
}

/// Makes the items of a record.
struct RecordItems {
  let values: ValueWords
  let words: Words

  func items(of state: RecordViewState) -> [RecordItem] {
    guard state.type != nil else { return [] }
    var items = state.fields.map { item(of: $0) }
    for group in state.backReferences {
      items.append(
        RecordItem(
          kind: .heading, label: words.referredBy(group.type.displayName),
          text: ""))
      items += group.records.map { reference in
        RecordItem(
          kind: .referrer, label: "", text: reference.title ?? words.goneRecord, role: .accent,
          links: [reference.reference])
      }
    }
    if state.hasMoreBackReferences {
      items.append(RecordItem(kind: .note, label: "", text: words.moreReferrers, role: .dim))
    }
    if let created = state.created, let modified = state.modified {
      items.append(
        RecordItem(
          kind: .note, label: "",
          text: words.times(created: values.time(created), modified: values.time(modified)),
          role: .dim))
    }
    return items
  }

  private func item(of entry: FieldEntry) -> RecordItem {
    let titles = Dictionary(
      entry.references.compactMap { found in found.title.map { (found.reference.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var text = values.text(entry.value, titles: titles)
    if case .date(let date) = entry.value { text += "  \(values.weekday(date))" }
    var item = RecordItem(
      kind: .field(entry.field.id), label: entry.field.title, text: text,
      role: entry.references.isEmpty ? .text : .accent)
    item.links = entry.references.filter { $0.title != nil }.map(\.reference)
    if let problem = entry.problem {
      item.remark = words.sentence(for: problem, values)
    }
    if entry.isContentMissing {
      item.remark = words.contentNotHere
      item.remarkRole = .warning
    }
    if entry.isConflicted {
      item.remark = words.fieldInConflict
      item.remarkRole = .warning
    }
    return item
  }
}
