// What the model editor shows, as values.

package import RecordStore
package import Records

/// Why a model can't be applied as it stands.
package struct ModelProblem: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Not `[A-Za-z][A-Za-z0-9_]{0,63}`.
    case badName(String)
    /// Another type, or another field of the type, has it; case does not count.
    case nameTaken(String)
    case noFields
    case noChoices
    /// The type that a reference points to is dropped.
    case lostTarget(TypeID)
  }

  package let type: TypeID
  /// Nothing for a problem of the type itself.
  package let field: FieldID?
  package let reason: Reason
}

/// Where the model editor is.
package enum ModelEditorPhase: Sendable, Hashable {
  case editing
  case forecasting
  /// The person sees what would happen, and says yes or goes back.
  case confirming(MigrationForecast)
  case applying
  /// Nothing where it was left without applying.
  case closed(MigrationResult?)
}

/// All that the model editor shows.
package struct ModelEditorState: Sendable, Hashable {
  package var phase = ModelEditorPhase.editing
  package var model: Model
  /// What would change, in the order of a migration.
  package var changes: [ModelChange] = []
  package var problems: [ModelProblem] = []
  package var isDirty = false
  package var canUndo = false
  package var canRedo = false
  package var asksToDiscard = false
  /// The library's model was changed elsewhere meanwhile: what is edited is of an older one.
  package var isOvertaken = false
  package var failure: Failure?
}
