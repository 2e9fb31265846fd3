import ModelFile
import Records
import Testing

/// Reading and writing the model file.
struct ModelFileTests {
  static let places = """
    skyros: 1
    types:
      Place:
        title: name                    # what a record is called
        list: [name, country, population]
        sort: -population
        key: geoname_id
        fields:
          geoname_id: {type: integer}
          name:       {type: text, required: true, search: true}
          country:    {type: text, index: true}
          population: {type: integer, min: 0}
          visited:    {type: boolean, default: false}
          rating:     {type: choice, of: [low, fair, good]}
          tags:       {type: tags}
          notes:      {type: longText, search: true, merge: lines}
          trip:       {type: reference, to: Trip, onDelete: nullify}
          photo:      {type: attachment}
      Trip:
        fields:
          name: text
          start: {type: date, min: 2020-01-01, label: "Start: the day"}
    """

  @Test func `the example of the design reads as it is meant`() throws {
    let model = try ModelFile.read(Self.places)
    let place = try #require(model.type(named: "Place"))
    #expect(place.title?.name == "name")
    #expect(place.list.map(\.name) == ["name", "country", "population"])
    #expect(place.sort.map(\.field.name) == ["population"])
    #expect(place.sort.first?.descending == true)
    #expect(place.key?.name == "geoname_id")
    #expect(place.fields.count == 10)
    #expect(place.field(named: "name")?.required == true)
    #expect(place.field(named: "visited")?.defaultValue == .boolean(false))
    #expect(place.field(named: "rating")?.type == .choice(["low", "fair", "good"]))
    #expect(place.field(named: "tags")?.merge == .union)
    #expect(place.field(named: "notes")?.merge == .lines)
    #expect(place.field(named: "trip")?.type.target?.name == "Trip")
    #expect(place.field(named: "population")?.min == .integer(0))
    let trip = try #require(model.type(named: "Trip"))
    #expect(trip.field(named: "start")?.label == "Start: the day")
    #expect(trip.title?.name == "name")
  }

  @Test func `what is written reads back to an equal model`() throws {
    let model = try ModelFile.read(Self.places)
    let text = ModelFile.text(of: model)
    #expect(try ModelFile.read(text) == model)
    #expect(try ModelFile.read(text, over: model) == model)
    #expect(ModelFile.text(of: try ModelFile.read(text)) == text)
  }

  @Test func `hidden, renamed and replaced things survive the round trip`() throws {
    let first = try ModelFile.read(Self.places)
    let changed = Self.places
      .replacingOccurrences(
        of: "rating:     {type: choice, of: [low, fair, good]}", with: "rating: integer"
      )
      .replacingOccurrences(of: "photo:      {type: attachment}", with: "")
      .replacingOccurrences(
        of: "country:    {type: text,", with: "land: {was: country, type: text,"
      )
      .replacingOccurrences(of: "country, population]", with: "land, population]")
    let second = try ModelFile.read(changed, over: first)
    let place = try #require(second.type(named: "Place"))
    #expect(place.field(named: "land")?.id.name == "country")
    #expect(place.field(named: "rating")?.id.name == "rating_2")
    #expect(place.fields.filter(\.hidden).map(\.id.name) == ["rating", "photo"])
    let text = ModelFile.text(of: second)
    #expect(try ModelFile.read(text) == second)
    #expect(try ModelFile.read(text, over: second) == second)
    // The same file again changes nothing more: its `was:` is spent.
    #expect(try ModelFile.read(changed, over: second) == second)

    let diff = ModelDiff(from: first, to: second).changes
    let type = place.id
    #expect(
      diff == [
        .renameField(type, FieldID(trusted: "country"), from: "country", to: "land"),
        .replaceField(
          type, old: FieldID(trusted: "rating"), new: FieldID(trusted: "rating_2")),
        .dropField(type, FieldID(trusted: "photo")),
      ])
    #expect(ModelDiff(from: first, to: first).isEmpty)
  }

  @Test func `a dropped field comes back as itself`() throws {
    let first = try ModelFile.read(Self.places)
    let without = Self.places.replacingOccurrences(of: "photo:      {type: attachment}", with: "")
    let second = try ModelFile.read(without, over: first)
    #expect(
      try ModelFile.read(Self.places, over: second).type(named: "Place")?.field(named: "photo")
        == first.type(named: "Place")?.field(named: "photo"))
  }

  @Test func `a type that the file leaves out is hidden, and its fields stay`() throws {
    let first = try ModelFile.read(Self.places)
    let second = try ModelFile.read(
      "skyros: 1\ntypes:\n  Ort: {was: Trip, fields: {name: text, start: date}}", over: first)
    #expect(second.types.map(\.name) == ["Ort", "Place"])
    #expect(second.types.map(\.id.name) == ["Trip", "Place"])
    #expect(second.types.map(\.hidden) == [false, true])
    #expect(second.types.last?.fields == first.types.first?.fields)
    #expect(try ModelFile.read(ModelFile.text(of: second)) == second)
    #expect(ModelDiff(from: first, to: second).drops == [.dropType(TypeID(trusted: "Place"))])
  }

  @Test func `texts that look like something else survive`() throws {
    var field = Field(
      id: FieldID(trusted: "a"),
      type: .choice(
        ["true", "5", "- x", "a: b", "日本", "\"", "\u{1B}[31m", "~", "", "#"].filter { !$0.isEmpty })
    )
    field.label = "null"
    field.defaultValue = .text("~")
    var text = Field(id: FieldID(trusted: "b"), type: .text)
    text.pattern = "[A-Z]{2}\\d*"
    text.defaultValue = .text(" two\nlines\t")
    let type = RecordType(id: TypeID(trusted: "T"), fields: [field, text])
    let model = Model(types: [type])
    #expect(try ModelFile.read(ModelFile.text(of: model)) == model)
  }
}

extension String {
  func replacingOccurrences(of part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
