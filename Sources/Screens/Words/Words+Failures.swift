// Sentences for what went wrong: each says what to do. No private text but what the person typed.

package import RecordStore
package import Records
internal import ViewModels
package import Wording

extension Words {
  func sentence(for cause: Failure, in model: Model) -> String {
    switch cause {
    case .store(let error): sentence(for: error, in: model)
    case .stopped: failure.interrupted
    case .unknown(let text): failure.unexpected(text)
    }
  }

  private func sentence(for error: StoreError, in model: Model) -> String {
    switch error {
    case .missing(let path): self("There is no library at \(path).", "\(path) にライブラリはありません。")
    case .exists(let path): store.exists(path)
    case .notALibrary(let path): store.notALibrary(path)
    case .newer(let path, let format, let known):
      store.newer(path, format: format, known: known)
    case .unusableName(let name): store.unusableName(name)
    case .searchTooLong(let most): store.searchTooLong(wordsMax: most)
    case .unknownType(let type): self("There is no type \(type.name).", "種類 \(type.name) はありません。")
    case .hiddenType(let type): store.hiddenType(type.name)
    case .gone(let path): store.gone(path)
    case .readOnly(let path): store.readOnly(path)
    case .unreadableWithoutWriting(let path): store.unreadableWithoutWriting(path)
    case .changedByOthers(let path): store.changedByOthers(path)
    case .unknownRecord: recordGone
    case .unknownTransaction(let number):
      self("There is no transaction \(number).", "トランザクション \(number) はありません。")
    case .unread(let fields): store.unread(fields: names(fields, model))
    case .invalid(let problems):
      self(
        "Not saved: look at \(list(names(problems.map(\.field), model))).",
        "保存できません: \(list(names(problems.map(\.field), model)))。")
    case .referred(_, let referrers):
      self(
        "\(records(referrers.count)) still refer to it: change those first.",
        "まだ \(referrers.count) 件が参照しています。先にそれらを変えてください。")
    case .changedSince(let number): store.changedSince(number)
    case .purged(let number): store.purged(number)
    case .alreadyUndone(let number, let other): store.alreadyUndone(number, by: other)
    case .nothingToUndo: store.nothingToUndo
    case .losesValues(let losses):
      self(
        "That would lose values of \(records(losses.map(\.records).reduce(0, +))).",
        "\(losses.map(\.records).reduce(0, +)) 件の値が失われます。")
    case .modelChanged:
      self(
        "The model was changed elsewhere meanwhile: look at the forecast again.",
        "モデルは他で変更されました。予測を見直してください。")
    case .attachmentMissing:
      self("The attached file is not on this machine.", "添付ファイルはこの端末にありません。")
    case .attachmentDamaged:
      self(
        "The attached file is damaged: run skyros doctor.", "添付ファイルが壊れています。skyros doctor を実行してください。"
      )
    case .file(_, let path, let code):
      self("\(path): \(systemWords(code)).", "\(path): \(systemWords(code))。")
    case .sqlite(let code, let message):
      self(
        "The library's file could not be used (\(code): \(message)). Nothing was lost; try again.",
        "ファイルを使えません（\(code): \(message)）。失われたものはありません。再試行してください。")
    case .damaged(let what):
      self(
        "The file is damaged (\(what)): run skyros doctor.",
        "ファイルが壊れています（\(what)）。skyros doctor を実行してください。")
    }
  }

  private func names(_ fields: [FieldID], _ model: Model) -> [String] {
    fields.map { id in
      model.types.lazy.compactMap { $0.field(id)?.title }.first ?? id.name
    }
  }

  // MARK: Inputs

  func sentence(for problem: InputProblem, _ values: ValueWords) -> String {
    switch problem {
    case .unreadable(let mistake):
      mistake.map(sentence(for:)) ?? self("This can't be read.", "読めません。")
    case .refused(let reason): sentence(for: reason, values)
    }
  }

  package func sentence(for mistake: ValueMistake) -> String { sentence(clause(for: mistake)) }

  /// What was expected of a text.
  package func clause(for mistake: ValueMistake) -> String {
    switch mistake {
    case .integer: expected.wholeNumber
    case .integerRange: expected.smallerNumber
    case .number: expected.number
    case .decimal: expected.decimal
    case .boolean: expected.boolean
    case .date: expected.date
    case .dateTime: expected.dateTime
    case .location: expected.location
    case .url: expected.url
    case .email: expected.email
    case .choice(let choices): expected.choice(of: choices)
    case .reference: expected.recordID
    case .attachment: expected.file
    case .tags: expected.texts
    case .text: expected.text
    case .notAddable: expected.addableField
    case .overflow: expected.smallerSum
    }
  }

  func sentence(for reason: FieldProblem.Reason, _ values: ValueWords) -> String {
    sentence(clause(for: reason) { values.line($0) })
  }

  /// What a field's rule says; its subject is the field.
  package func clause(
    for reason: FieldProblem.Reason, bound: (Value) -> String = ValueText.flat
  ) -> String {
    switch reason {
    case .required: constraint.required
    case .belowMinimum(let least): constraint.atLeast(bound(least))
    case .aboveMaximum(let most): constraint.atMost(bound(most))
    case .pattern(let pattern): constraint.pattern(pattern)
    case .notAChoice(let choices): constraint.choice(of: choices)
    case .notUnique(let id): constraint.taken(by: id.description)
    case .tooLong(let most): constraint.shorter(than: most)
    case .wrongType: constraint.wrongType
    case .zeroCharacter: constraint.zeroCharacter
    }
  }

  /// The same with the field's name.
  package func clause(for problem: FieldProblem) -> String {
    constraint.of(field: problem.field.name, clause(for: problem.reason))
  }

  /// What is wrong with a text in JSON.
  package func clause(for mistake: JSONMistake.Kind) -> String {
    switch mistake {
    case .value: jsonMistake.value
    case .name: jsonMistake.name
    case .colon: jsonMistake.colon
    case .commaOrBracket: jsonMistake.comma(or: "]")
    case .commaOrBrace: jsonMistake.comma(or: "}")
    case .number: jsonMistake.number
    case .escape: jsonMistake.escape
    case .end: jsonMistake.end
    case .unclosedString: jsonMistake.unclosedString
    case .controlCharacter: jsonMistake.controlCharacter
    case .invalidUTF8: jsonMistake.invalidUTF8
    case .tooDeep(let max): jsonMistake.tooDeep(max: max)
    }
  }

  func sentence(for refusal: Refusal, in model: Model) -> String? {
    switch refusal {
    case .unread(let places), .invalid(let places):
      self(
        "Not saved: \(count(places.count, "field needs", "fields need", "")) attention.",
        "保存できません: \(places.count) 個のフィールドを直してください。")
    case .conflict: nil
    case .gone: nil
    case .bulk(let conflicts, let gone):
      self(
        "Not saved: \(conflicts.count) changed and \(gone.count) went away meanwhile.",
        "保存できません: \(conflicts.count) 件が変わり、\(gone.count) 件がなくなりました。")
    case .failed(let failure):
      self("Not saved: ", "保存できません: ") + sentence(for: failure, in: model)
    }
  }
}
