// The model as the library keeps it: the YAML that a person writes, with hidden types and fields.

internal import ModelFile
internal import Records

/// Models as the text of the library's `_model` table.
enum ModelText {
  static func text(of model: Model) -> String { ModelFile.text(of: model) }

  static func model(of text: String) throws -> Model {
    do {
      return try ModelFile.read(stored: text)
    } catch {
      throw StoreError.damaged("the model")
    }
  }
}
