// The model that all libraries of a run begin with: one field of each way to settle, references with
// each rule that can be kept, a type with a natural key; and values by chance for any field.

internal import Records
internal import TestKit

enum SimulatedModel {
  static let place = TypeID(trusted: "Place")
  static let trip = TypeID(trusted: "Trip")
  static let country = TypeID(trusted: "Country")
  /// A counter that settles by its sum in every run, whatever the others come to settle by.
  static let climbs = FieldID(trusted: "climbs")

  static let model: Model = {
    func field(_ name: String, _ type: FieldType, merge: MergePolicy? = nil) -> Field {
      Field(id: FieldID(trusted: name), type: type, merge: merge)
    }
    var tripOfPlace = field("trip", .reference(to: Self.trip))
    tripOfPlace.onDelete = .nullify
    var name = field("name", .text)
    name.search = true
    let place = RecordType(
      id: Self.place,
      fields: [
        name, field("population", .integer), field("tags", .tags), field("visits", .counter),
        field("notes", .longText, merge: .lines), tripOfPlace,
        field("around", .references(to: Self.place)), field("area", .decimal),
        field("founded", .date), Field(id: climbs, type: .counter),
      ])
    var parent = field("parent", .reference(to: Self.trip))
    parent.onDelete = .cascade
    let trip = RecordType(id: Self.trip, fields: [field("title", .text), parent])
    var country = RecordType(
      id: Self.country, fields: [field("iso", .text), field("label", .text)])
    country.key = FieldID(trusted: "iso")
    return Model(types: [trip, place, country])
  }()

  /// A value for a field.
  ///
  /// - Parameters:
  ///   - count: Makes texts differ from one another.
  ///   - targets: What references can point to.
  static func value(
    of field: Field, count: Int, targets: [RecordID], _ random: inout SeededGenerator
  ) -> Value {
    if Int.random(in: 0..<12, using: &random) == 0 { return .empty }
    let words = ["a", "b", "c", "日本"].filter { _ in Bool.random(using: &random) }
    switch field.type {
    case .tags: return .tags(nonEmpty: TagSet(words))
    case .integer, .counter: return .integer(Int64.random(in: -9...9, using: &random))
    case .longText: return .text(words.joined(separator: "\n") + "\nline \(count)")
    case .decimal:
      return Decimal("\(Int.random(in: 0...999, using: &random)).5").map(Value.decimal) ?? .empty
    case .date:
      return CalendarDate(year: 2000 + count % 20, month: 1 + count % 12, day: 1)
        .map(Value.date) ?? .empty
    case .boolean: return .boolean(Bool.random(using: &random))
    case .reference: return targets.randomElement(using: &random).map(Value.reference) ?? .empty
    case .references:
      return .references(sorted: targets.shuffled(using: &random).prefix(2).sorted())
    default: return .text("text \(count)")
    }
  }
}
