// The tags that a field's records have: what a form proposes while one types.

internal import GRDB
package import Records

extension Library {
  /// The tags of a field, those of most records first.
  ///
  /// Reads every record's tags once: ask when a form is opened, not at each key.
  package func knownTags(
    of field: FieldID, in type: TypeID, limit: Int
  ) async throws -> [String] {
    try await read { reading in
      let type = try reading.type(type)
      guard let field = type.field(field), field.type == .tags, TypeSchema.hasColumn(field) else {
        return []
      }
      let column = TypeSchema.quoted(field.id.name)
      return try String.fetchAll(
        reading.db,
        sql: """
          SELECT tag.value FROM \(TypeSchema(type).table) AS record, json_each(record.\(column)) AS tag
          WHERE record.\(column) IS NOT NULL
          GROUP BY tag.value ORDER BY count(*) DESC, tag.value LIMIT ?
          """,
        arguments: [limit])
    }
  }
}
