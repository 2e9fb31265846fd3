import Records
import Testing

/// The filter language.
struct FilterTests {
  static let trip = RecordID(high: 7, low: 8)
  static let type: RecordType = {
    func field(_ name: String, _ type: FieldType) -> Field {
      Field(id: FieldID(trusted: name), type: type)
    }
    var label = field("postal", .text)
    label.label = "Postal code"
    return RecordType(
      id: TypeID(trusted: "Place"),
      fields: [
        field("name", .text), field("country", .text), field("population", .integer),
        field("share", .number), field("price", .decimal), field("visited", .boolean),
        field("due", .date), field("seen", .dateTime),
        field("rating", .choice(["low", "fair", "good"])),
        field("tags", .tags), field("spot", .location), field("notes", .longText),
        field("trip", .reference(to: TypeID(trusted: "Trip"))),
        field("guests", .references(to: TypeID(trusted: "Person"))), field("photo", .attachment),
        label,
      ])
  }()
  static let time = ValueTextTests.athens

  private func read(_ text: String) throws(FilterMistake) -> Filter {
    try Filter.read(text, for: Self.type, in: Self.time)
  }

  private func field(_ name: String, _ condition: Condition) -> Filter {
    .field(FieldID(trusted: name), condition)
  }

  @Test func `the example of the design means what it says`() throws {
    let filter = try read(
      "country=JP population>1000000 name~port tag:coast due<=today+7d -visited \"two words\" or(rating=good trip=Kyoto)"
    )
    guard case .all(let parts) = filter else {
      Issue.record("\(filter)")
      return
    }
    #expect(parts.count == 8)
    #expect(parts[0] == field("country", .compare(.equal, Operand(.text("JP")))))
    #expect(parts[1] == field("population", .compare(.greater, Operand(.integer(1_000_000)))))
    #expect(parts[2] == field("name", .contains("port")))
    #expect(parts[3] == field("tags", .hasTag("coast")))
    if case .field(_, .compare(.lessOrEqual, let operand)) = parts[4] {
      #expect(ValueText.flat(operand.lower) == "2026-11-28")
    } else {
      Issue.record("\(parts[4])")
    }
    #expect(parts[5] == .not(field("visited", .compare(.equal, Operand(.boolean(true))))))
    #expect(parts[6] == .words("two words"))
    #expect(
      parts[7]
        == .any([
          field("rating", .compare(.equal, Operand(.text("good")))),
          field("trip", .refers(.title("Kyoto"))),
        ]))
  }

  @Test(arguments: [
    "", "country=JP", "name=\"New York\"", "name=\"a\\\"b\\\\\"", "notes=", "notes:", "-notes:",
    "population=1..9", "population=..9", "population=1..", "due=2026-11", "due>2025", "seen=today",
    "seen<2026-11-21T09:30", "or(visited -visited)", "-and(visited country=JP)", "trip=Kyoto",
    "trip=00000000-0000-0007-0000-000000000008", "tags:coast", "tags=a,b", "tags!=\"a b\"",
    "rating>low", "spot=38.9,24.5", "word \"two words\"", "\"visited\"", "\"-a\"", "name~\"a..b\"",
    "--visited", "share<=0.5", "price=12.5..13", "photo~jpg", "postal=060", "or(and(a b) c)",
    "population>-5", "name=Paris\\(Texas\\)", "札幌 name=東京",
  ])
  func `text reads back to an equal filter`(text: String) throws {
    let filter = try read(text)
    let written = filter.text(for: Self.type)
    #expect(try read(written) == filter, "\(written)")
    #expect(try read(written).text(for: Self.type) == written)
  }

  @Test(arguments: [
    (
      "colour=red", 0..<6, FilterMistake.Kind.unknownField("colour", known: type.fields.map(\.name))
    ),
    ("population>", 0..<0, .missingValue(operator: ">")),
    (">5", 0..<1, .missingField(operator: ">")),
    ("é population>many", 13..<17, .badValue(field: "population", text: "many", .integer)),
    (
      "visited>1", 7..<8,
      .operatorDoesNotFit(
        field: "visited", operator: ">", type: "boolean", fitting: ["=", "!=", ":"])
    ),
    ("a \"b", 2..<4, .unclosedQuote),
    ("or(a", 0..<3, .unclosedGroup),
    ("a ) b", 2..<3, .unexpectedClose),
    ("or()", 0..<4, .missingTerm),
    ("a -", 2..<3, .missingTerm),
    ("population=9..1", 11..<15, .emptyRange),
    (
      "rating=bad", 7..<10,
      .badValue(field: "rating", text: "bad", .choice(["low", "fair", "good"]))
    ),
  ])
  func `a mistake has its place`(text: String, place: Range<Int>, kind: FilterMistake.Kind) {
    do {
      let filter = try read(text)
      Issue.record("\(filter)")
    } catch {
      #expect(error.kind == kind)
      if !place.isEmpty { #expect(error.characters == place) }
    }
  }

  @Test func `positions count bytes and characters`() {
    do {
      _ = try read("👩‍👩‍👧 é=1")
      Issue.record("é is no field")
    } catch {
      #expect(error.characters == 2..<3)
      #expect(error.utf8.lowerBound == 19)
    }
  }

  @Test func `bounds are bounded`() {
    let deep = String(repeating: "(", count: 1000) + "a"
    #expect(throws: FilterMistake.self) { try read(deep) }
    #expect(throws: FilterMistake.self) { try read(String(repeating: "-", count: 1000) + "a") }
    #expect(throws: FilterMistake.self) { try read(String(repeating: "a ", count: 1000)) }
    #expect(throws: FilterMistake.self) { try read(String(repeating: "a", count: 20_000)) }
  }

  @Test func `random text gives a filter or a mistake inside it`() {
    var seed: UInt64 = 11
    let parts = [
      "name", "visited", "=", "!=", "<", "..", "~", ":", "\"", "\\", "(", ")", "or(", "-", " ",
      "5", "today", "+7d", "é", "札", "👩‍👩‍👧", "tag", "2026", "-11", "\u{301}", "\n",
    ]
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<8 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(seed >> 33) % parts.count]
      }
      do {
        let filter = try read(text)
        let written = filter.text(for: Self.type)
        #expect((try? read(written)) == filter, "\(text) became \(written)")
      } catch {
        #expect(error.characters.upperBound <= text.count, "\(text)")
        #expect(error.utf8.upperBound <= text.utf8.count, "\(text)")
      }
      _ = FilterCompletion(text, at: text.utf8.count, for: Self.type)
    }
  }

  @Test func `completion offers fields, operators and choices`() {
    func offers(_ text: String) -> [String] {
      FilterCompletion(text, at: text.utf8.count, for: Self.type).candidates.map(\.text)
    }
    #expect(offers("po") == ["population", "postal"])
    #expect(offers("country=JP -vis") == ["visited"])
    #expect(offers("rating") == ["=", "!=", "<", "<=", ">", ">=", "~", ":"].map { "rating" + $0 })
    #expect(offers("rating=") == ["low", "fair", "good"])
    #expect(offers("or(rating>f") == ["fair"])
    #expect(offers("visited=t") == ["true"])
    #expect(FilterCompletion("a rating=f", at: 10, for: Self.type).replacing == 9..<10)
  }

  @Test(arguments: ["a \u{301}b", "a(\u{301}", "a\"\u{200D}b", ".\u{301}.", "a\\\u{301}"])
  func `a filter with joining marks reads as it was written`(text: String) throws {
    for condition in [Condition.contains(text), .compare(.equal, Operand(.text(text)))] {
      let filter = field("name", condition)
      #expect(try read(filter.text(for: Self.type)) == filter)
    }
    let words = Filter.words(text)
    #expect(try read(words.text(for: Self.type)) == words)
  }
}
