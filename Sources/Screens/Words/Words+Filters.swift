// Sentences for mistakes in a filter.

package import Records
package import Wording

extension Words {
  /// Where the mistake is, in characters from the beginning.
  func position(of mistake: FilterMistake) -> Int { mistake.characters.lowerBound }

  func sentence(for mistake: FilterMistake) -> String {
    // The text stands right above.
    if case .badValue(_, _, let mistake) = mistake.kind { return sentence(for: mistake) }
    return sentence(clause(for: mistake.kind))
  }

  /// What is wrong with a filter.
  package func clause(for mistake: FilterMistake.Kind) -> String {
    switch mistake {
    case .unknownField(let name, let known): filterMistake.unknownField(name, known: known)
    case .missingValue(let sign): filterMistake.missingValue(after: sign)
    case .badValue(let field, let text, let mistake):
      filterMistake.badValue(text, field: field, because: clause(for: mistake))
    case .operatorDoesNotFit(let field, let sign, let type, let fitting):
      filterMistake.operatorDoesNotFit(sign, field: field, type: type, fitting: fitting)
    case .missingField(let sign): filterMistake.missingField(before: sign)
    case .unclosedQuote: filterMistake.unclosedQuote
    case .unclosedGroup: filterMistake.unclosedGroup
    case .unexpectedClose: filterMistake.unexpectedClose
    case .missingTerm: filterMistake.missingTerm
    case .emptyRange: filterMistake.emptyRange
    case .tooLong(let most): filterMistake.tooLong(bytesMax: most)
    case .tooDeep(let most): filterMistake.tooDeep(max: most)
    case .tooMany(let most): filterMistake.tooMany(max: most)
    }
  }
}
