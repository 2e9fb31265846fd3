// A fitting input for each type of field, and the way from the input to the view model and back.
// UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// One field of the form: its widget, kept the same as what the view model says.
@UI
final class FieldInput {
  let place: FieldPlace
  let field: Field
  let row: FormField
  private let input: any Input
  /// What the widget was last known to show: the model's text then.
  private var shown: String?
  private let make: FieldInputs

  init(_ state: EditorField, place: FieldPlace, make: FieldInputs) {
    self.place = place
    self.make = make
    field = state.field
    input = make.input(for: state, place: place)
    row = FormField(Self.name(place), label: state.field.title, input: input)
    input.onChange = { [unowned self] in changed() }
    update(state)
  }

  static func name(_ place: FieldPlace) -> String { place.field.name }

  /// Whether the input is for text of many lines.
  var textArea: TextArea? { input as? TextArea }

  // MARK: From the widget

  private func changed() {
    switch input {
    case let input as TextField: type(input.text)
    case let input as TextArea: type(input.text)
    case let input as DateInput: type(input.text)
    case let input as CheckBox:
      make.model.set(input.isOn.map { .boolean($0) } ?? .empty, of: field.id, in: place.form)
    case let input as ChoiceInput:
      make.model.set(input.value.map { .text($0) } ?? .empty, of: field.id, in: place.form)
    case let input as TagsInput:
      make.model.set(.tags(nonEmpty: TagSet(input.tags)), of: field.id, in: place.form)
    default: break
    }
  }

  private func type(_ text: String) {
    make.model.type(text, in: field.id, of: place.form)
    // What the model made of it is what is shown: the widget keeps the text as it was typed.
    shown = make.model.state.field(place)?.text
  }

  // MARK: From the model

  /// Shows what the model says.
  func update(_ state: EditorField) {
    place(state)
    row.isRequired = state.field.required
    row.isChanged = state.isChanged
    row.before = state.isChanged ? make.desk.values.line(state.base, titles: state.titles) : ""
    row.message = state.problem.map { make.desk.words.sentence(for: $0, make.desk.values) } ?? ""
    row.note = make.note(for: state)
  }

  private func place(_ state: EditorField) {
    let text = state.text
    switch input {
    case let input as TextField where text != shown && text != input.text: input.text = text
    case let input as TextArea where text != shown && text != input.text: input.text = text
    case let input as DateInput where text != shown && text != input.text: input.text = text
    case let input as CheckBox:
      if case .value(.boolean(let isOn)) = state.input {
        input.isOn = isOn
      } else {
        input.isOn = nil
      }
    case let input as ChoiceInput:
      if case .value(.text(let chosen)) = state.input {
        // What another device or an older model left is shown too.
        if !input.options.contains(chosen) { input.options.append(chosen) }
        input.place(input.options.firstIndex(of: chosen))
      } else {
        input.place(nil)
      }
    case let input as TagsInput:
      if case .value(.tags(let tags)) = state.input {
        if tags != TagSet(input.tags) { input.place(tags.tags) }
      } else if !input.tags.isEmpty {
        input.place([])
      }
    case let input as PickerInput: input.text = make.summary(of: state)
    default: break
    }
    shown = text
  }
}

extension EditorField {
  /// The titles of the records that the field points to.
  var titles: [RecordID: String] {
    Dictionary(
      references.compactMap { found in found.title.map { (found.reference.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
