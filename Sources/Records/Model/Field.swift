// One field of a record type, as the model declares it.

/// What a field holds.
///
/// The table of DESIGN.md 2 says how each looks in SQLite, on the wire, in JSON.
package enum FieldType: Hashable, Sendable {
  case text, longText, url, email
  case choice([String])
  case integer, counter, number, decimal, boolean, date, dateTime, tags, location
  case reference(to: TypeID)
  case references(to: TypeID)
  case attachment

  /// The word in the model's YAML.
  package var word: String {
    switch self {
    case .text: "text"
    case .longText: "longText"
    case .url: "url"
    case .email: "email"
    case .choice: "choice"
    case .integer: "integer"
    case .counter: "counter"
    case .number: "number"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .dateTime: "dateTime"
    case .tags: "tags"
    case .location: "location"
    case .reference: "reference"
    case .references: "references"
    case .attachment: "attachment"
    }
  }

  /// All words, in the order in which a person would look for them.
  package static let words = [
    "text", "longText", "integer", "number", "decimal", "boolean", "date", "dateTime", "choice",
    "tags", "url", "email", "counter", "location", "reference", "references", "attachment",
  ]

  /// Whether values are kept as TEXT and read as they are.
  package var isText: Bool {
    switch self {
    case .text, .longText, .url, .email, .choice: true
    default: false
    }
  }

  package var isNumeric: Bool {
    switch self {
    case .integer, .counter, .number, .decimal: true
    default: false
    }
  }

  /// The type that references of this field point to.
  package var target: TypeID? {
    switch self {
    case .reference(let type), .references(let type): type
    default: nil
    }
  }
}

extension FieldType {
  /// What `min` and `max` of such a field are; of a text they bound its length.
  package var boundType: FieldType? {
    switch self {
    case .integer, .counter, .number, .decimal, .date, .dateTime: self
    case .text, .longText, .url, .email: .integer
    default: nil
    }
  }

  /// Whether search can look into its values.
  package var isSearchable: Bool { isText || self == .tags }

  /// Whether one column holds the value, so that an index over it means something.
  package var isIndexable: Bool {
    switch self {
    case .tags, .references, .attachment: false
    default: true
    }
  }
}

extension FieldType {
  /// Whether values may settle part by part: by elements or by shares.
  var hasParts: Bool {
    switch MergePolicy.standard(for: self) {
    case .union, .sum: true
    case .latest, .lines: false
    }
  }
}

/// How a field settles when writers disagree (invariant J5).
package enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  case latest, union, sum, lines

  /// What holds when the model says nothing.
  package static func standard(for type: FieldType) -> MergePolicy {
    switch type {
    case .tags, .references: .union
    case .counter: .sum
    default: .latest
    }
  }

  /// Whether the policy has a meaning for the type.
  package func fits(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.latest, _): true
    case (.union, .tags), (.union, .references): true
    case (.sum, .counter): true
    case (.lines, .text), (.lines, .longText): true
    default: false
    }
  }
}

/// What happens to a reference when its target is deleted.
package enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  case nullify, cascade, deny
}

/// One field of a record type.
package struct Field: Hashable, Sendable {
  /// Permanent: the column, the wire name, the key of its registers.
  package let id: FieldID
  /// What a person types in filters and on the command line.
  ///
  /// Starts as the id; `was:` renames it.
  package var name: String
  /// Any wording, for people only.
  package var label: String?
  package var type: FieldType
  package var merge: MergePolicy
  package var required = false
  /// What a new record starts with.
  package var defaultValue = Value.empty
  /// Bounds, inclusive; of the field's own type (for text: of its length, as integers).
  package var min: Value?
  package var max: Value?
  /// A regular expression that the whole text must match.
  ///
  /// One that ``Pattern`` can't read, from another version of the program, is not checked.
  package var pattern: String?
  package var unique = false
  package var index = false
  package var search = false
  package var onDelete = DeleteRule.nullify
  /// Dropped: not shown, not edited; column and registers stay (DESIGN.md 2).
  package var hidden = false

  package init(id: FieldID, name: String? = nil, type: FieldType, merge: MergePolicy? = nil) {
    self.id = id
    self.name = name ?? id.name
    self.type = type
    self.merge = merge ?? .standard(for: type)
  }

  /// What a person reads above the field.
  package var title: String { label ?? name }
}
