// What an input's text is as a value, and what an input shows for a value. Pure: the day and the
// zone come from outside.

internal import Records

/// Reads and writes the texts of inputs.
struct InputText: Sendable {
  let time: LocalTime

  /// What stands in an input with this text: the value, or the text itself where it is none.
  func input(_ text: String, in field: Field) -> DraftInput {
    do {
      return .value(try ValueText.read(text, as: field, in: time))
    } catch {
      return .unread(text)
    }
  }

  /// Why a text does not read as a value of the field; nothing if it does.
  func mistake(in text: String, of field: Field) -> ValueMistake? {
    do {
      _ = try ValueText.read(text, as: field, in: time)
      return nil
    } catch {
      return error
    }
  }

  /// The text that reads back to the value.
  func text(of value: Value) -> String { ValueText.edit(value, in: time) }
}
