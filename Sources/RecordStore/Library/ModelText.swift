// The model as the library keeps it: YAML, the same that a person writes.

internal import ModelFile
internal import Records

enum ModelText {
  static func text(of model: Model) -> String { "" }

  static func model(of text: String) throws -> Model {
    throw StoreError.damaged("the model")
  }
}
