// What is wrong with a model file, with the place where it is.

internal import ModelFile
internal import Records

extension ModelMistake {
  /// `line 4, column 7 (types.Place): there is no key 'titel'; …`.
  var words: String {
    let place = "line \(line), column \(column)"
    return (path.isEmpty ? place : "\(place) (\(path.joined(separator: ".")))") + ": \(kind.words)"
  }

  /// `{"line","column","path","mistake"}`.
  var json: JSON {
    [
      "line": .count(line), "column": .count(column), "path": .array(path.map(JSON.string)),
      "mistake": .string(kind.words),
    ]
  }
}

extension ModelMistake.Kind {
  var words: String {
    switch self {
    case .unreadable(let words): "this is not YAML: \(words)"
    case .tooLarge(let bytesMax): "the file is larger than \(bytesMax) bytes"
    case .tooDeep: "this is nested too deeply"
    case .alias: "aliases (*name) have no use here"
    case .duplicate(let key): "'\(key)' is there twice"
    case .unknownKey(let key, let known):
      "there is no key '\(key)'; the keys here: \(list(known))"
    case .missingKey(let key): "'\(key)' is missing"
    case .expected(let shape): "\(shape.words) is expected"
    case .badName(let name):
      "'\(name)' can't be a name: letters, digits and _ are taken, a letter first (label: "
        + "gives any other wording)"
    case .sameName(let name, let other):
      "'\(name)' and '\(other)' are the same name but for capital letters"
    case .unknownWord(let word, let known):
      "'\(word)' is not known; known are \(list(known))"
    case .unknownType(let name): "there is no type '\(name)'"
    case .unknownField(let name): "there is no field '\(name)'"
    case .wasUnknown(let name): "was: '\(name)' is not in the library's model"
    case .badValue(let text, let mistake): "'\(shortened(text))' does not fit: \(mistake.words)"
    case .badPattern(let pattern): "'\(shortened(pattern))' is not a regular expression"
    case .doesNotFit(let key, let type): "'\(key)' has no meaning for \(type)"
    case .emptyRange: "min is above max"
    case .version(let version):
      "this is version '\(version)' of the model file; this Skyros reads version "
        + "\(ModelFile.version)"
    case .tooMany(let max): "there are more than \(max)"
    }
  }
}

extension ModelMistake.Shape {
  fileprivate var words: String {
    switch self {
    case .mapping: "a mapping (key: value)"
    case .list: "a list"
    case .text: "a text"
    case .boolean: "true or false"
    case .wholeNumber: "a whole number"
    }
  }
}
