// From what a person types to what the model knows.

internal import Records

extension Model {
  /// The visible type that a person means.
  func requireType(_ name: String) throws(Failure) -> RecordType {
    if let type = type(named: name) { return type }
    throw .unknownType(name, known: visibleTypes.map(\.name))
  }
}

extension RecordType {
  /// The visible field that a person means.
  func requireField(_ name: String) throws(Failure) -> Field {
    if let field = field(named: name) { return field }
    throw .unknownField(name, type: self.name, known: visibleFields.map(\.name))
  }

  /// The id that a person gave; what is no id at all is an unknown one.
  func requireID(_ text: String) throws(Failure) -> RecordID {
    if let id = RecordID(text) { return id }
    throw .unknownRecord(text, type: name)
  }

  /// The keys of `--sort`: `-population`, or several with commas between.
  func sortKeys(_ words: [String]) throws(Failure) -> [SortKey] {
    var keys: [SortKey] = []
    for word in words.flatMap({ $0.split(separator: ",") }) {
      let descending = word.hasPrefix("-")
      let field = try requireField(String(descending ? word.dropFirst() : word))
      keys.append(SortKey(field: field.id, descending: descending))
    }
    return keys
  }
}
