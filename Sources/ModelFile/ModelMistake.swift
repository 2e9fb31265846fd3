package import Records

/// One mistake of a model file, as data.
///
/// The sentence for people is made where the front end is.
package struct ModelMistake: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// YAML itself does not read; the words are libyaml's.
    case unreadable(String)
    case tooLarge(bytesMax: Int)
    case tooDeep
    /// `*name`: aliases have no use here and could blow a file up.
    case alias
    case duplicate(String)
    case unknownKey(String, known: [String])
    case missingKey(String)
    case expected(Shape)
    /// Not a name by ``NameRule``, or one that SQLite keeps for itself.
    case badName(String)
    /// Two names that differ in case alone are one name to SQL.
    case sameName(String, as: String)
    /// A word out of a fixed list, like a field's type.
    case unknownWord(String, known: [String])
    case unknownType(String)
    case unknownField(String)
    /// `was:` names what the library's model does not have.
    case wasUnknown(String)
    case badValue(String, ValueMistake)
    case badPattern(String)
    /// The key has no meaning for the field's type.
    case doesNotFit(key: String, type: String)
    case emptyRange
    case version(String)
    case tooMany(max: Int)
  }

  /// What should have stood there.
  package enum Shape: Hashable, Sendable {
    case mapping, list, text, boolean, wholeNumber
  }

  /// From 1.
  package let line: Int
  /// From 1, in Unicode scalars.
  package let column: Int
  /// The keys that lead there: `types`, `Place`, `fields`, `name`.
  package let path: [String]
  package let kind: Kind

  package init(line: Int, column: Int, path: [String], kind: Kind) {
    self.line = line
    self.column = column
    self.path = path
    self.kind = kind
  }
}

/// All mistakes of a model file that could be told apart, in the order of the file.
package struct ModelMistakes: Error, Hashable, Sendable {
  /// Never empty.
  package let mistakes: [ModelMistake]

  init(_ mistakes: [ModelMistake]) {
    precondition(!mistakes.isEmpty, "a model without mistakes is a model")
    let ordered = mistakes.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    self.mistakes = Array(ordered.prefix(ModelFile.mistakesMax))
  }
}
