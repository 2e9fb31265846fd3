// The model of a library: its record types, in the order in which people see them.
// Pure values; ModelFile reads and writes them as YAML.

/// One key of a sort: a field, and the direction.
package struct SortKey: Hashable, Sendable {
  package var field: FieldID
  package var descending: Bool

  package init(field: FieldID, descending: Bool = false) {
    self.field = field
    self.descending = descending
  }
}

/// One type of record.
package struct RecordType: Hashable, Sendable {
  /// Permanent: the SQL table, the record type on the wire.
  package let id: TypeID
  /// What a person types.
  ///
  /// Starts as the id.
  package var name: String
  package var label: String?
  /// All fields, hidden ones too, in the order of the form.
  package var fields: [Field]
  /// The field that a record is called by.
  package var title: FieldID?
  /// The columns of a list.
  package var list: [FieldID]
  package var sort: [SortKey]
  /// The natural key: two records of one key are one record.
  package var key: FieldID?
  /// Dropped: in no list; the table stays.
  package var hidden = false

  package init(id: TypeID, name: String? = nil, fields: [Field] = []) {
    self.id = id
    self.name = name ?? id.name
    self.fields = fields
    title = fields.first?.id
    list = fields.prefix(6).map(\.id)
    sort = []
  }

  /// The fields that people see.
  package var visibleFields: [Field] { fields.filter { !$0.hidden } }

  package func field(_ id: FieldID) -> Field? { fields.first { $0.id == id } }

  /// The visible field that a person calls `name`: by its name first, then by its label.
  package func field(named name: String) -> Field? {
    visibleFields.first { $0.name == name } ?? visibleFields.first { $0.label == name }
  }

  /// What a person reads above a list of these records.
  package var displayName: String { label ?? name }

  /// The fields whose words a search finds.
  package var searchedFields: [Field] { visibleFields.filter(\.search) }
}

/// A model: the record types of one library.
package struct Model: Hashable, Sendable {
  package var types: [RecordType]

  package init(types: [RecordType] = []) { self.types = types }

  package func type(_ id: TypeID) -> RecordType? { types.first { $0.id == id } }

  /// The visible type that a person calls `name`.
  package func type(named name: String) -> RecordType? {
    visibleTypes.first { $0.name == name } ?? visibleTypes.first { $0.label == name }
  }

  package var visibleTypes: [RecordType] { types.filter { !$0.hidden } }

  /// The same model with what it leaves out of another one kept, hidden: no type and no field ever
  /// goes, because other devices may still write to it (DESIGN.md 2).
  package func keeping(_ older: Model) -> Model {
    var result = self
    for type in older.types {
      guard let index = result.types.firstIndex(where: { $0.id == type.id }) else {
        var type = type
        type.hidden = true
        result.types.append(type)
        continue
      }
      for field in type.fields where result.types[index].field(field.id) == nil {
        var field = field
        field.hidden = true
        result.types[index].fields.append(field)
      }
    }
    return result
  }
}
