// YAML text into nodes, with a guard before it: libyaml and the composer recurse as deep as a file
// nests, and an alias of an alias of an alias multiplies. Neither is of use in a model.

internal import Yams

/// The outermost node of a text.
enum YAMLText {
  /// Deeper than any model; the composer's stack bears it many times over.
  static let depthMax = 64
  static let indentMax = 400

  static func root(of text: String) throws(ModelMistakes) -> Node {
    var text = text
    text.makeContiguousUTF8()
    if text.utf8.count > ModelFile.bytesMax {
      throw mistake(1, 1, .tooLarge(bytesMax: ModelFile.bytesMax))
    }
    try guardAgainstDepth(text)
    do {
      // Scalars are read by their text: resolving their types compiles ten regular expressions.
      let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      guard let node = try parser.singleRoot() else {
        throw mistake(1, 1, .missingKey("types"))
      }
      return node
    } catch let mistakes as ModelMistakes {
      throw mistakes
    } catch let error as YamlError {
      throw Self.mistakes(of: error)
    } catch {
      throw mistake(1, 1, .unreadable(""))
    }
  }

  private static func mistakes(of error: YamlError) -> ModelMistakes {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      mistake(mark.line, mark.column, .unreadable(problem))
    case .duplicatedKeysInMapping(let duplicates, let context):
      mistake(
        context.mark.line, context.mark.column, .duplicate(duplicates.sorted().first ?? ""))
    case .reader(let problem, _, _, _): mistake(1, 1, .unreadable(problem))
    default: mistake(1, 1, .unreadable(""))
    }
  }

  private static func mistake(
    _ line: Int, _ column: Int, _ kind: ModelMistake.Kind
  ) -> ModelMistakes {
    ModelMistakes([ModelMistake(line: line, column: column, path: [], kind: kind)])
  }

  /// Refuses what nests too deep, and aliases, before anything recurses.
  ///
  /// It errs on the strict side: a bare ` *word` is taken for an alias wherever it stands outside
  /// quotes and comments.
  private static func guardAgainstDepth(_ text: String) throws(ModelMistakes) {
    var guardian = DepthGuard()
    for scalar in text.unicodeScalars {
      if let kind = guardian.see(scalar) {
        throw mistake(guardian.line, guardian.column, kind)
      }
    }
  }
}

/// Sees one scalar after the other, and knows just enough of YAML to count what nests.
private struct DepthGuard {
  private(set) var line = 1
  private(set) var column = 0
  private var flowDepth = 0
  private var indent = 0
  private var isIndent = true
  private var blockMarks = 0
  private var quote: Unicode.Scalar?
  private var isComment = false
  private var isEscaped = false
  private var previous: Unicode.Scalar = "\n"
  private var star = false

  mutating func see(_ scalar: Unicode.Scalar) -> ModelMistake.Kind? {
    defer { previous = scalar }
    column += 1
    if scalar == "\n" {
      line += 1
      column = 0
      (indent, isIndent, blockMarks, isComment, star) = (0, true, 0, false, false)
      return nil
    }
    if isComment { return nil }
    if let quote { return inside(quote, scalar) }
    if star {
      star = false
      if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" {
        return .alias
      }
    }
    return outside(scalar)
  }

  private mutating func inside(_ quote: Unicode.Scalar, _ scalar: Unicode.Scalar)
    -> ModelMistake.Kind?
  {
    if isEscaped {
      isEscaped = false
    } else if scalar == "\\", quote == "\"" {
      isEscaped = true
    } else if scalar == quote {
      self.quote = nil
    }
    return nil
  }

  private mutating func outside(_ scalar: Unicode.Scalar) -> ModelMistake.Kind? {
    let startsToken = " \t\n[{,".unicodeScalars.contains(previous)
    switch scalar {
    case " " where isIndent:
      indent += 1
      return indent > YAMLText.indentMax ? .tooDeep : nil
    case " ": return nil
    case "-", "?":
      guard isIndent || startsToken else { break }
      blockMarks += 1
      if blockMarks > YAMLText.depthMax { return .tooDeep }
    case "[", "{":
      flowDepth += 1
      if flowDepth > YAMLText.depthMax { return .tooDeep }
    case "]", "}": flowDepth = max(0, flowDepth - 1)
    case "\"", "'": if startsToken { quote = scalar }
    case "#": if startsToken { isComment = true }
    case "*": if startsToken { star = true }
    default: break
    }
    isIndent = false
    return nil
  }
}
