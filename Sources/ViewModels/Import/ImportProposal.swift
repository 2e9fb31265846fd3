// Which of a library's types a file is probably about. Pure.

internal import Records

/// Proposes a type for the columns of a file.
enum ImportProposal {
  /// One column alone, a name, fits nearly every type.
  private static let columnsMin = 2

  /// The type that has a field for every column, and the fewest besides.
  static func type(for columns: [String], among types: [RecordType]) -> RecordType? {
    let named = columns.filter { $0 != TypeInference.identityHeader }
    guard named.count >= columnsMin else { return nil }
    return types.filter { type in
      named.allSatisfy { column in
        type.field(named: column) != nil
          || FieldNaming.name(of: column).flatMap { type.field(named: $0) } != nil
      }
    }.min { $0.visibleFields.count < $1.visibleFields.count }
  }
}
