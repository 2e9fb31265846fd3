// Intentions that belong to a type of field: a check mark, a day later, a tag, a file, a picker.

internal import RecordStore
package import Records
internal import UILoop

extension EditorViewModel {
  private func value(of field: FieldID, in form: FormID) -> (field: Field, value: Value)? {
    guard let index = index(of: form), let definition = sheets[index].field(field) else {
      return nil
    }
    let value = sheets[index].draft.value(of: field) ?? .empty
    return (definition, value == BulkEdit.mixed ? .empty : value)
  }

  /// Yes becomes no, all else yes.
  package func toggle(_ field: FieldID, in form: FormID = .main) {
    guard let (definition, value) = value(of: field, in: form), definition.type == .boolean else {
      return
    }
    set(.boolean(value != .boolean(true)), of: field, in: form)
  }

  /// Moves a date by days, a number by units, a choice along its list.
  ///
  /// An empty date becomes today.
  package func step(_ field: FieldID, by units: Int, in form: FormID = .main) {
    guard let (definition, value) = value(of: field, in: form) else { return }
    switch (definition.type, value) {
    case (.date, .date(let date)): set(.date(date.adding(days: units)), of: field, in: form)
    case (.date, .empty): set(.date(time().today), of: field, in: form)
    case (.integer, .empty), (.counter, .empty):
      set(.integer(Int64(units)), of: field, in: form)
    case (.integer, .integer(let number)), (.counter, .integer(let number)):
      let (sum, isOver) = number.addingReportingOverflow(Int64(units))
      if !isOver { set(.integer(sum), of: field, in: form) }
    case (.choice(let words), let value): step(field, along: words, from: value, units, in: form)
    default: break
    }
  }

  private func step(
    _ field: FieldID, along words: [String], from value: Value, _ units: Int, in form: FormID
  ) {
    guard !words.isEmpty else { return }
    let index = words.firstIndex { value == .text($0) }
    let next = index.map { max(0, min($0 + units, words.count - 1)) } ?? 0
    set(.text(words[next]), of: field, in: form)
  }

  /// The most tags that are proposed.
  private static let knownTagsMax = 1000

  /// Tags of other records that begin with what is typed, those of most records first.
  ///
  /// The first call has them read; until then there are none.
  package func suggestedTags(_ typed: String, for field: FieldID, in form: FormID) -> [String] {
    guard let type = index(of: form).map({ sheets[$0].type.id }) else { return [] }
    let key = TagSource(type: type, field: field)
    guard let known = knownTags[key] else {
      knownTags[key] = []
      errands.run { [weak self, library] in
        // Proposals are a comfort: without them one types on.
        let found = try? await library.knownTags(of: field, in: type, limit: Self.knownTagsMax)
        self?.knownTags[key] = found ?? []
      }
      return []
    }
    return known.filter { $0.hasPrefix(typed) }
  }

  /// Takes a file in, and puts it into the field.
  ///
  /// Its content is in the store before the record is saved; if it never is, the store clears it
  /// away.
  package func attach(_ path: String, to field: FieldID, in form: FormID = .main) async {
    guard let (definition, _) = value(of: field, in: form), definition.type == .attachment else {
      return
    }
    do {
      let attachment = try await library.attach(path)
      state.failure = nil
      set(.attachment(attachment), of: field, in: form)
    } catch {
      state.failure = Failure(error)
    }
  }

  /// A picker for a field whose values are picked; nothing for one that is typed.
  package func picker(for field: FieldID, in form: FormID = .main) -> PickerViewModel? {
    guard let (definition, value) = value(of: field, in: form) else { return nil }
    return PickerViewModel(library: library, field: definition, current: value)
  }
}

/// A field of a type that holds tags.
struct TagSource: Hashable {
  let type: TypeID
  let field: FieldID
}
