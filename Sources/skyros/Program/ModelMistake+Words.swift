// What is wrong with a model file, with the place where it is.

internal import ModelFile
internal import Records
internal import Screens
internal import Wording

extension ModelMistake {
  /// `line 4, column 7 (types.Place): there is no key 'titel'; …`.
  var words: String {
    Words.system.modelMistake.mistake(line: line, column: column, path: path, kind.words)
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
    let words = Words.system.modelMistake
    switch self {
    case .unreadable(let reason): return words.unreadable(reason)
    case .tooLarge(let bytesMax): return words.tooLarge(bytesMax: bytesMax)
    case .tooDeep: return words.tooDeep
    case .alias: return words.alias
    case .duplicate(let key): return words.duplicate(key)
    case .unknownKey(let key, let known): return words.unknownKey(key, known: known)
    case .missingKey(let key): return words.missingKey(key)
    case .expected(let shape): return shape.words
    case .badName(let name): return words.badName(name)
    case .sameName(let name, let other): return words.sameName(name, as: other)
    case .unknownWord(let word, let known): return words.unknownWord(word, known: known)
    case .unknownType(let name): return words.unknownType(name)
    case .unknownField(let name): return words.unknownField(name)
    case .wasUnknown(let name): return words.wasUnknown(name)
    case .badValue(let text, let mistake):
      return words.badValue(text, because: Words.system.clause(for: mistake))
    case .badPattern(let pattern): return words.badPattern(pattern)
    case .doesNotFit(let key, let type): return words.doesNotFit(key: key, type: type)
    case .emptyRange: return words.emptyRange
    case .version(let version): return words.version(version, known: ModelFile.version)
    case .tooMany(let max): return words.tooMany(max: max)
    }
  }
}

extension ModelMistake.Shape {
  fileprivate var words: String {
    let words = Words.system.modelMistake
    return switch self {
    case .mapping: words.mapping
    case .list: words.list
    case .text: words.text
    case .boolean: words.boolean
    case .wholeNumber: words.wholeNumber
    }
  }
}
