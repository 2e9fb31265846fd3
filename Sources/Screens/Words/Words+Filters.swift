// Sentences for mistakes in a filter.

internal import Records
internal import Wording

extension Words {
  /// Where the mistake is, in characters from the beginning.
  func position(of mistake: FilterMistake) -> Int { mistake.characters.lowerBound }

  func sentence(for mistake: FilterMistake) -> String { sentence(clause(for: mistake)) }

  private func clause(for mistake: FilterMistake) -> String {
    switch mistake.kind {
    case .unknownField(let name, let known): filterMistake.unknownField(name, known: known)
    case .missingValue(let sign): filterMistake.missingValue(after: sign)
    // The text stands right above.
    case .badValue(_, _, let mistake): clause(for: mistake)
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
