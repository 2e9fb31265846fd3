// What the import screen shows, as values.

package import RecordStore
package import Records

/// Where an import is.
package enum ImportPhase: Sendable, Hashable {
  /// The file is being looked at.
  case reading
  /// The person sees what was understood, and maps columns.
  case mapping
  /// A dry run: everything is done, and taken back.
  case trying
  case importing
  case done(ImportReport)
  /// Left, or ended before its end: nothing was written.
  case cancelled
}

/// Why a table can't be imported as it is asked for.
package enum ImportFailure: Sendable, Hashable {
  /// The file, the names or the mapping.
  case table(ImportError)
  case other(Failure)

  init(_ error: any Error) {
    self = if let error = error as? ImportError { .table(error) } else { .other(Failure(error)) }
  }
}

/// One column of the file.
package struct ImportColumn: Sendable, Hashable, Identifiable {
  /// What the file calls it.
  package let name: String
  /// The field that it goes into; nothing where it is left out.
  package let field: Field?
  /// Whether the person decided it.
  package let isMapped: Bool
  /// The first values, as text.
  package let samples: [String]

  package var id: String { name }
}

/// All that the import screen shows.
package struct ImportState: Sendable, Hashable {
  package let path: String
  package var phase = ImportPhase.reading
  package var typeName: String
  /// The field or column by which rows find the records that they update.
  package var key: String?
  /// Nothing: told from the file.
  package var encoding: TextEncoding?
  package var format: TableFormat?
  /// Columns that go into fields of another name; into the empty name: into none.
  package var map: [String: String] = [:]
  /// What was understood; of the newest settings that could be understood.
  package var preview: ImportPreview?
  /// What a dry run said of the settings as they are.
  package var trial: ImportReport?
  package var progress: ImportProgress?
  /// Since the import or the dry run began.
  package var elapsedMilliseconds: Int64 = 0
  package var failure: ImportFailure?
  /// Whether the failure is that of a dry run.
  package var hasFailedTrying = false

  /// Columns that have no field to go into: map them, or leave them out.
  package var unmapped: [String] {
    if case .table(.unmapped(let columns, _)) = failure { columns } else { [] }
  }

  package var columns: [ImportColumn] {
    guard let preview else { return [] }
    return preview.columns.enumerated().map { index, name in
      let field = index < preview.fields.count ? preview.fields[index] : nil
      return ImportColumn(
        name: name, field: field.flatMap { preview.type.field($0) }, isMapped: map[name] != nil,
        samples: preview.rows.compactMap { index < $0.count ? $0[index] : nil })
    }
  }

  /// The type's own key, where the file has a column for it.
  var ownKey: Field? {
    guard let preview, let key = preview.type.key, preview.fields.contains(key) else { return nil }
    return preview.type.field(key)
  }

  /// By what rows find the records that they update, as a person reads it.
  ///
  /// Nothing: every row becomes a new record.
  package var keyTitle: String? {
    guard let preview else { return nil }
    if preview.columns.contains(TypeInference.identityHeader), !preview.isNewType {
      return TypeInference.identityHeader
    }
    return key.map { preview.type.field(named: $0)?.title ?? $0 } ?? ownKey?.title
  }

  package var isRunning: Bool { phase == .trying || phase == .importing }
}
