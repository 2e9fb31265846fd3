// The models that a new library can begin with, and the sample of the demo. They are files under
// `Resources`, compiled into the program, so that the program can be moved.

package import Records

/// A model that a library can begin with.
package struct Template: Hashable, Sendable, Identifiable {
  /// What `skyros new --template` takes.
  package let name: String
  /// The model file, as a person would write it.
  package let text: String

  package var id: String { name }

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The one that asks no questions: what the first start makes its library of.
  package static let standard = Template("default", PackageResources.default_yaml)

  /// The model of the demo, which ``SampleData/cities`` fits.
  package static let demo = Template("demo", PackageResources.demo_yaml)

  /// All to choose from, the standard one first.
  package static let all = [
    standard,
    Template("contacts", PackageResources.contacts_yaml),
    Template("field-notes", PackageResources.field_notes_yaml),
    Template("inventory", PackageResources.inventory_yaml),
    Template("places", PackageResources.places_yaml),
    Template("reading", PackageResources.reading_yaml),
    Template("tasks", PackageResources.tasks_yaml),
    demo,
  ]

  package static var names: [String] { all.map(\.name) }

  package init?(named name: String) {
    guard let template = Self.all.first(where: { $0.name == name }) else { return nil }
    self = template
  }

  package func model() throws(ModelMistakes) -> Model { try ModelFile.read(text) }
}

/// Records to look at in a library that has none yet.
package enum SampleData {
  /// Cities of GeoNames (CC BY 4.0, see `Resources/samples/SOURCE.md`), as a table in CSV whose
  /// header names the fields of ``Template/demo``.
  package static var cities: [UInt8] { PackageResources.cities_csv }
}
