import ModelFile
import Records
import Testing

/// What new libraries begin with.
struct TemplateTests {
  @Test(arguments: Template.all)
  func `a template reads, and survives the round trip`(template: Template) throws {
    let model = try template.model()
    #expect(!model.types.isEmpty)
    #expect(try ModelFile.read(ModelFile.text(of: model)) == model)
    for type in model.types {
      #expect(type.title != nil)
      #expect(!type.list.isEmpty)
      #expect(!type.searchedFields.isEmpty, "\(type.name) finds nothing")
    }
  }

  @Test func `templates are found by name`() {
    #expect(Template(named: "inventory")?.name == "inventory")
    #expect(Template(named: "nonsense") == nil)
    #expect(Set(Template.names).count == Template.all.count)
  }

  @Test func `the sample fits the model of the demo`() throws {
    let type = try #require(try Template.demo.model().type(named: "City"))
    let time = LocalTime.utc(today: try #require(CalendarDate(dayNumber: 0)))
    var header: [String] = []
    var rows = 0
    func take(_ row: inout TableRow) throws {
      #expect(row.problem == nil)
      guard !header.isEmpty else {
        header = row.texts
        return
      }
      rows += 1
      #expect(row.count == header.count)
      for (name, text) in zip(header, row.texts) {
        let field = try #require(type.field(named: name))
        _ = try ValueText.read(text, as: field, in: time)
      }
    }
    var reader = CSVReader()
    try SampleData.cities.withUnsafeBufferPointer { try reader.read($0, row: take) }
    try reader.finish(row: take)
    #expect((40...60).contains(rows))
  }
}
