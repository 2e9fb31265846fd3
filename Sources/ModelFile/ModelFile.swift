// The model as YAML that a person can write, both ways, with a position for every mistake.
//
// Text in, model or mistakes out: no file is opened here and nothing is remembered. Any thread.

package import Records

/// The model file: reading, writing, and the bounds of both.
package enum ModelFile {
  /// The version that the line `skyros:` names.
  package static let version = 1
  /// Far above what a person writes; it bounds what a hostile file costs.
  package static let bytesMax = 1 << 20
  package static let typesMax = 500
  /// SQLite takes 2,000 columns; the list of a form does not.
  package static let fieldsMax = 500
  package static let choicesMax = 1000
  /// A file with more mistakes than this is no model file, and the rest would only hide the first.
  package static let mistakesMax = 100

  /// Reads a model.
  ///
  /// - Parameter current: The library's model, which gives permanent ids to what it knows already:
  ///   `was:` is looked up in it, what the file leaves out is hidden, and a field with a new type
  ///   becomes a new field beside the hidden old one. Nothing for a new library.
  package static func read(
    _ text: String, over current: Model? = nil
  ) throws(ModelMistakes) -> Model {
    try read(text, with: ModelReader(), over: current)
  }

  /// Reads a model that a library keeps.
  ///
  /// Its patterns are taken as they are: what another version of the program let in may not read
  /// here, and a library opens all the same.
  package static func read(stored text: String) throws(ModelMistakes) -> Model {
    var reader = ModelReader()
    reader.takesAnyPattern = true
    return try read(text, with: reader, over: nil)
  }

  private static func read(
    _ text: String, with reader: ModelReader, over current: Model?
  ) throws(ModelMistakes) -> Model {
    var reader = reader
    let root = try YAMLText.root(of: text)
    let declared = reader.model(root)
    if !reader.mistakes.isEmpty { throw ModelMistakes(reader.mistakes) }
    var resolver = ModelResolver(current: current)
    let model = resolver.model(declared)
    if !resolver.mistakes.isEmpty { throw ModelMistakes(resolver.mistakes) }
    return model
  }

  /// Writes a model so that ``read(_:over:)`` gives an equal one, hidden types and fields too.
  package static func text(of model: Model) -> String { ModelWriter.text(of: model) }
}
