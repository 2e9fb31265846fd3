// A filter means one thing: its SQL and its meaning in memory find the same records, whatever the
// filter and whatever the records.

import RecordStore
import Records
import TestKit
import Testing

struct FilterAgreementTests {
  static let trips = TypeID(trusted: "Trip")
  static let time = LocalTime(today: day(20_778)) { $0 < 1_792_890_000 ? 7200 : 3600 }

  static func day(_ number: Int) -> CalendarDate {
    guard let day = CalendarDate(dayNumber: number) else { preconditionFailure("no such day") }
    return day
  }

  static let model: Model = {
    func field(_ name: String, _ type: FieldType, index: Bool = false) -> Field {
      var field = Field(id: FieldID(trusted: name), type: type)
      field.index = index
      return field
    }
    let place = RecordType(
      id: Fixture.place,
      fields: [
        field("name", .text), field("country", .text, index: true),
        field("population", .integer, index: true), field("visits", .counter),
        field("share", .number), field("price", .decimal), field("visited", .boolean),
        field("due", .date, index: true), field("seen", .dateTime),
        field("rating", .choice(["low", "fair", "good"])), field("tags", .tags),
        field("spot", .location), field("notes", .longText),
        field("trip", .reference(to: trips)), field("guests", .references(to: trips)),
        field("photo", .attachment),
      ])
    let trip = RecordType(id: trips, fields: [field("title", .text)])
    return Model(types: [place, trip])
  }()

  private static let texts = [
    "Porto", "porto", "PORT", "Kōbe", "kōbe 100%", "札幌", "a_b", "a\\b", "JP", "FR", "É", "\"q\"",
  ]

  private static func value(
    of type: FieldType, trips: [RecordID], _ random: inout SeededGenerator
  ) -> Value {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return .empty }
    let number = Int64.random(in: -3...3, using: &random)
    let text = texts.randomElement(using: &random) ?? ""
    switch type {
    case .text, .longText, .url, .email: return .text(text)
    case .choice(let choices):
      return choices.randomElement(using: &random).map(Value.text) ?? .empty
    case .integer, .counter: return .integer(number)
    case .number: return .number(Double(number) / 4)
    case .decimal: return Decimal("\(number).25").map(Value.decimal) ?? .empty
    case .boolean: return .boolean(number > 0)
    case .date: return .date(Self.day(20_778 + Int(number) * 10))
    case .dateTime:
      return .dateTime(Timestamp(milliseconds: (20_778 + number) * 86_400_000 - 3_600_000))
    case .tags:
      let tags = (0..<2).compactMap { _ in texts.randomElement(using: &random) }
      return .tags(nonEmpty: TagSet(tags))
    case .location:
      return Location(latitude: Double(number), longitude: 0.5).map(Value.location) ?? .empty
    case .reference: return trips.randomElement(using: &random).map(Value.reference) ?? .empty
    case .references: return .references(sorted: trips.filter { _ in Bool.random(using: &random) })
    case .attachment:
      let hash = String(repeating: "0", count: 64)
      return .attachment(Attachment(hash: hash, name: text + ".jpg", size: 5))
    }
  }

  private static let operands = [
    "", "1", "-2", "0.25", "0.250", "true", "false", "2026-11-21", "2026-11", "2026", "today",
    "today-10d", "2026-11-21T23:00:00Z", "low", "fair", "good", "1,0.5", "Porto", "port", "KŌBE",
    "札", "a_b", "%", "a\\\\b", "JP", "porto.jpg", "\"\\\"q\\\"\"", "\"Rail trip\"", "trip", "É",
  ]

  /// A text that is often a filter.
  private static func term(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    let kind = Int.random(in: 0..<12, using: &random)
    if kind == 0 { return "-" + term(&random, depth: depth) }
    if kind == 1, depth < 2 {
      return "or(\(term(&random, depth: depth + 1)) \(term(&random, depth: depth + 1)))"
    }
    if kind == 2, depth < 2 {
      return "\(term(&random, depth: depth)) \(term(&random, depth: depth + 1))"
    }
    let fields = model.types[0].fields
    let name = fields[Int.random(in: 0..<fields.count, using: &random)].name
    let sign = ["=", "!=", "<", "<=", ">", ">=", "~", ":"].randomElement(using: &random) ?? "="
    let operand = operands.randomElement(using: &random) ?? ""
    let isRange = sign == "=" && Bool.random(using: &random)
    return name + sign + operand
      + (isRange ? ".." + (operands.randomElement(using: &random) ?? "") : "")
  }

  @Test func `SQL and memory find the same records`() async throws {
    var random = SeededGenerator(seed: 42)
    let fixture = try await Fixture(.memory, model: Self.model)
    var trips: [RecordID] = []
    var titles: [RecordID: String] = [:]
    for title in ["Kyoto", "Rail trip", "porto"] {
      let id = try await fixture.add(Self.trips, ["title": .text(title)])
      trips.append(id)
      titles[id] = title
    }
    let type = Self.model.types[0]
    let drafts = (0..<120).map { _ in
      var values: [String: Value] = [:]
      for field in type.fields {
        values[field.name] = Self.value(of: field.type, trips: trips, &random)
      }
      return fixture.newDraft(Fixture.place, values)
    }
    _ = try await fixture.library.commit(drafts)
    let all = try await fixture.library.page(
      ListQuery(type: Fixture.place), offset: 0, limit: 1000)
    let snapshots = try await fixture.library.snapshots(Fixture.place, all.map(\.id))
    let records = Array(snapshots.values)
    #expect(records.count == drafts.count)

    var compared = 0
    for _ in 0..<1500 {
      let text = Self.term(&random)
      guard let filter = try? Filter.read(text, for: type, in: Self.time) else { continue }
      compared += 1
      let expected = records.filter { record in
        filter.matches(
          type, value: { record.value(of: $0) }, words: { _ in false }, title: { titles[$0] })
      }
      let query = ListQuery(type: Fixture.place, filter: filter)
      let found = try await fixture.library.page(query, offset: 0, limit: 1000)
      #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(text)")
    }
    #expect(compared > 100)
  }

  @Test func `two readers of a long table find what one finds, in the same order`() async throws {
    var random = SeededGenerator(seed: 43)
    let folder = try TemporaryFolder()
    let world = TestWorld()
    var surroundings = world.surroundings
    surroundings.rowsOfOneReader = 5
    let library = try await Library.create(
      at: folder.file("long.skyros"), model: Self.model, surroundings: surroundings)
    let type = Self.model.types[0]
    let drafts = (0..<90).map { _ in
      var draft = Draft(id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: type)
      for field in type.fields where field.type.target == nil {
        draft.set(Self.value(of: field.type, trips: [], &random), of: field.id)
      }
      return draft
    }
    _ = try await library.commit(drafts)
    var many = 0
    for _ in 0..<200 {
      guard let filter = try? Filter.read(Self.term(&random), for: type, in: Self.time) else {
        continue
      }
      let query = ListQuery(
        type: Fixture.place, filter: filter, sort: [SortKey(field: FieldID(trusted: "share"))])
      let expected = try await library.page(query, offset: 0, limit: 1000).map(\.id)
      let list = try await library.list(query)
      _ = await list.caughtUp()
      let found = try await list.ids(0..<1000)
      #expect(found == expected, "\(filter)")
      if found.count > 5 { many += 1 }
    }
    #expect(many > 20)
    try await library.close()
  }
}
