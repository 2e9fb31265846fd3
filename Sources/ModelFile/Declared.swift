// What a model file says, before names are looked up.

internal import Records
internal import Yams

/// A place in the file, and the keys that lead to it.
struct Place {
  let line: Int
  let column: Int
  let path: [String]

  init(_ mark: Mark?, _ path: [String]) {
    line = mark?.line ?? 1
    column = mark?.column ?? 1
    self.path = path
  }

  func mistake(_ kind: ModelMistake.Kind) -> ModelMistake {
    ModelMistake(line: line, column: column, path: path, kind: kind)
  }
}

/// A text and where it stands.
struct Located {
  let text: String
  let place: Place
}

struct DeclaredField {
  /// What it is called; the key of the file's mapping unless a line `name:` says otherwise.
  var name: Located
  var id: Located?
  var was: Located?
  /// Of a reference: the name of its target.
  var target: Located?
  /// Everything else; its id is the name until ids are given, a reference's target likewise.
  var field: Field
}

struct DeclaredType {
  /// The key of the file's mapping, which `to:` names.
  let handle: String
  var name: Located
  var id: Located?
  var was: Located?
  var label: String?
  var hidden = false
  var title: Located?
  var key: Located?
  /// Nothing: the first fields.
  var list: [Located]?
  var sort: [(field: Located, descending: Bool)] = []
  var fields: [DeclaredField] = []
}
