// Which input a type of field gets, and what stands under it. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Makes the inputs of one editor.
@UI
struct FieldInputs {
  let desk: Desk
  let model: EditorViewModel
  /// Opens the chooser for a reference or an attachment; what was typed already comes along.
  let choose: @UI (FieldPlace, String) -> Void

  func input(for state: EditorField, place: FieldPlace) -> any Input {
    let field = state.field
    let hint = state.isMixed ? desk.words.mixedValues : desk.words.hint(for: field.type)
    switch field.type {
    case .longText:
      return TextArea(state.text, placeholder: hint, rowsMin: 3, rowsMax: 10)
    case .choice(let choices):
      return ChoiceInput(
        stage: desk.stage, title: field.title, options: choices, allowsNone: !field.required)
    case .boolean: return CheckBox(nil, placeholder: hint, allowsNone: !field.required)
    case .date, .dateTime:
      let time = desk.library.time
      return DateInput(stage: desk.stage, state.text, placeholder: hint) {
        let (year, month, day) = time().today.components
        return CalendarDay(year: year, month: month, day: day) ?? Self.firstDay
      }
    case .tags:
      // Asked once now, so that the answer is there when the first letter is typed.
      _ = model.suggestedTags("", for: place.field, in: place.form)
      return TagsInput([], placeholder: hint) { [model] typed in
        model.suggestedTags(typed, for: place.field, in: place.form)
      }
    case .reference, .references, .attachment:
      let input = PickerInput(summary(of: state), placeholder: hint) { [choose] typed in
        choose(place, typed)
      }
      input.onClear = { [model] in model.clear(place.field, in: place.form) }
      return input
    case .text, .url, .email, .integer, .counter, .number, .decimal, .location:
      return TextField(state.text, placeholder: hint)
    }
  }

  private static let firstDay: CalendarDay = {
    guard let day = CalendarDay(number: 0) else { preconditionFailure("1970 began on a day") }
    return day
  }()

  /// What a field that is chosen shows: titles, a file's name.
  func summary(of state: EditorField) -> String {
    guard case .value(let value) = state.input, !state.isMixed else { return state.text }
    return desk.values.line(value, titles: state.titles)
  }

  /// What is worth knowing about a field: that it changed underneath, and whose stands.
  func note(for state: EditorField) -> String {
    if let drift = state.drift {
      return desk.words.drift(drift, values: desk.values, titles: state.titles)
    }
    return ""
  }
}
