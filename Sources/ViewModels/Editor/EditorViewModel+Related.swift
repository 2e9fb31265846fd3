// Related records in one editor: an order and its lines, saved together or not at all.

internal import RecordStore
package import Records
internal import UILoop

/// A way in which records of another type belong to the one being edited.
package struct RelatedType: Sendable, Hashable {
  package let type: RecordType
  /// The field of that type that refers to the edited record.
  package let field: Field
}

extension EditorViewModel {
  /// The most related records in one editor: what a person oversees, and one short transaction.
  package static let relatedMax = 200

  /// The types whose records refer to the type being edited.
  package var relatedTypes: [RelatedType] {
    guard bulk.isEmpty else { return [] }
    return library.model.visibleTypes.flatMap { type in
      type.visibleFields.filter { $0.type.target == sheets[0].type.id }.map {
        RelatedType(type: type, field: $0)
      }
    }
  }

  /// Begins a new record that refers to the edited one.
  @discardableResult
  package func addRelated(_ related: RelatedType) -> FormID? {
    guard isEditing, bulk.isEmpty, sheets.count <= Self.relatedMax else { return nil }
    let surroundings = library.surroundings
    var draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: related.type)
    let owner = sheets[0].draft.record
    if case .references = related.field.type {
      draft.set(.references(sorted: [owner]), of: related.field.id)
    } else {
      draft.set(.reference(owner), of: related.field.id)
    }
    let form = FormID.related(draft.id)
    titles[sheets[0].reference] = mainTitle
    titlesAsked.insert(sheets[0].reference)
    change {
      sheets.append(Sheet(id: form, type: related.type, draft: draft))
      let first = related.type.visibleFields.first { $0.id != related.field.id }
      state.focus = first.map { FieldPlace(form: form, field: $0.id) }
    }
    return form
  }

  /// Takes the records that refer to the edited one along, to be edited and saved together.
  package func loadRelated(_ related: RelatedType) async {
    guard isEditing, bulk.isEmpty, !sheets[0].draft.isNew else { return }
    do {
      let referrers = try await library.referrers(of: sheets[0].reference, limit: Self.relatedMax)
      let ids = referrers.filter { $0.type == related.type.id }.map(\.id)
      let snapshots = try await library.snapshots(related.type.id, ids)
      change {
        for id in ids where !sheets.contains(where: { $0.draft.record == id }) {
          guard let snapshot = snapshots[id], sheets.count <= Self.relatedMax,
            snapshot.value(of: related.field.id).targets.contains(sheets[0].draft.record)
          else { continue }
          let draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
          sheets.append(Sheet(id: .related(draft.id), type: related.type, draft: draft))
        }
      }
    } catch {
      state.failure = Failure(error)
    }
  }

  /// Drops a related form from the editor; a record that is there stays as it is.
  package func removeRelated(_ form: FormID) {
    guard form != .main else { return }
    change {
      sheets.removeAll { $0.id == form }
      if state.focus?.form == form { state.focus = nil }
    }
  }

  private var mainTitle: String? {
    guard let title = sheets[0].type.title, let field = sheets[0].field(title) else { return nil }
    let text = sheets[0].text(of: field, reading)
    return text.isEmpty ? nil : text
  }
}
