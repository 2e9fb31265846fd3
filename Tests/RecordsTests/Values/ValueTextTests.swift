import Records
import Testing

/// Text into values and back.
struct ValueTextTests {
  static let today = CalendarDate.someDay.adding(days: 20_778)
  /// UTC+1, and UTC+2 from 2026-03-29 to 2026-10-25, at 01:00 UTC each.
  static let athens = LocalTime(today: today) { seconds in
    (1_774_746_000..<1_792_890_000).contains(seconds) ? 7200 : 3600
  }

  private func read(_ text: String, _ type: FieldType) throws(ValueMistake) -> Value {
    try ValueText.read(text, as: type, in: Self.athens)
  }

  @Test(arguments: [
    ("5", FieldType.integer, Value.integer(5)),
    (" -7 ", .counter, .integer(-7)),
    ("0.5", .number, .number(0.5)),
    ("1e3", .number, .number(1000)),
    ("-0", .number, .number(0)),
    ("TRUE", .boolean, .boolean(true)),
    ("no", .boolean, .boolean(false)),
    (" as is ", .text, .text(" as is ")),
    ("b, a,,a", .tags, .tags(TagSet(["a", "b"]))),
    ("\"a, b\",c", .tags, .tags(TagSet(["a, b", "c"]))),
    ("\"a\"\"b\"", .tags, .tags(TagSet(["a\"b"]))),
    ("5\" disk", .tags, .tags(TagSet(["5\" disk"]))),
    ("", .integer, .empty),
    ("  ", .date, .empty),
    (",", .tags, .empty),
    ("low", .choice(["low"]), .text("low")),
    ("https://skyros.example", .url, .text("https://skyros.example")),
    ("a@b.example", .email, .text("a@b.example")),
  ])
  func `a text reads as the value it says`(text: String, type: FieldType, value: Value) throws {
    #expect(try read(text, type) == value)
  }

  @Test(arguments: [
    ("x", FieldType.integer, ValueMistake.integer),
    ("1.5", .integer, .integer),
    ("9223372036854775808", .integer, .integerRange),
    ("inf", .number, .number),
    ("0x10", .number, .number),
    ("1,5", .decimal, .decimal),
    ("maybe", .boolean, .boolean),
    ("2026-02-29", .date, .date),
    ("21.11.2026", .date, .date),
    ("2026-11-21T25:00", .dateTime, .dateTime),
    ("91,0", .location, .location),
    ("mid", .choice(["low"]), .choice(["low"])),
    ("skyros.example", .url, .url),
    ("a b@c", .email, .email),
    ("Kyoto", .reference(to: TypeID(trusted: "T")), .reference),
    ("x.jpg", .attachment, .attachment),
  ])
  func `what does not read says what was expected`(
    text: String, type: FieldType, mistake: ValueMistake
  ) {
    #expect(throws: mistake) { try read(text, type) }
  }

  @Test func `days count from today`() throws {
    #expect(Self.today.text == "2026-11-21")
    for (text, day) in [
      ("today", "2026-11-21"), ("today+7d", "2026-11-28"), ("today-2w", "2026-11-07"),
      ("today+3m", "2027-02-21"), ("today-1y", "2025-11-21"), ("tomorrow", "2026-11-22"),
      ("yesterday", "2026-11-20"), ("today+9", "2026-11-30"),
    ] {
      #expect(ValueText.flat(try read(text, .date)) == day, "\(text)")
    }
    #expect(throws: ValueMistake.date) { try read("today+", .date) }
    #expect(throws: ValueMistake.date) { try read("today+7x", .date) }
  }

  @Test(arguments: [
    ("2026-11-21T12:53:00Z", "2026-11-21T12:53:00.000Z"),
    ("2026-11-21T12:53", "2026-11-21T11:53:00.000Z"),
    ("2026-07-01 12:53:07.25", "2026-07-01T10:53:07.250Z"),
    ("2026-11-21T12:53:00+09:00", "2026-11-21T03:53:00.000Z"),
    ("2026-11-21T00:10:00-0330", "2026-11-21T03:40:00.000Z"),
    ("2026-11-21", "2026-11-20T23:00:00.000Z"),
    // The clocks here go from 02:00 to 03:00: 02:30 does not exist.
    ("2026-03-29 02:30", "2026-03-29T01:30:00.000Z"),
    // And back from 03:00 to 02:00: 02:30 exists twice, the first one is meant.
    ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
  ])
  func `an instant without an offset is local`(text: String, utc: String) throws {
    #expect(ValueText.flat(try read(text, .dateTime)) == utc)
  }

  @Test func `what is written reads back`() throws {
    let ids = [RecordID(high: 1, low: 2), RecordID(high: 3, low: 4)]
    let target = TypeID(trusted: "T")
    var pairs: [(Value, FieldType)] = [
      (.integer(.min), .integer), (.integer(.max), .integer), (.number(0.1), .number),
      (.number(1e300), .number), (.number(.leastNonzeroMagnitude), .number),
      (.boolean(false), .boolean),
      (.text("\u{1B}\n,\""), .longText), (.reference(ids[0]), .reference(to: target)),
      (.references(sorted: ids), .references(to: target)),
      (.tags(TagSet(["a,b", " c", "\"", "d\"e\"", "ü", "\"f\", g"])), .tags),
    ]
    if let location = Location(latitude: -0.5, longitude: 179.999) {
      pairs.append((.location(location), .location))
    }
    if let decimal = Decimal("-12345678901234567890.0001") {
      pairs.append((.decimal(decimal), .decimal))
    }
    for milliseconds: Int64 in [0, -1, 1_792_888_200_000, 1_792_891_800_000, .min, .max, 59_999] {
      pairs.append((.dateTime(Timestamp(milliseconds: milliseconds)), .dateTime))
    }
    for (value, type) in pairs {
      #expect(try read(ValueText.edit(value, in: Self.athens), type) == value)
      #expect(
        try ValueText.read(ValueText.flat(value), as: type, in: .utc(today: Self.today)) == value)
    }
  }

  @Test func `an argument is taken apart`() throws {
    let argument = try #require(FieldArgument("tags+=a=b"))
    #expect(argument.name == "tags")
    #expect(argument.operation == .add)
    #expect(argument.text == "a=b")
    #expect(FieldArgument("name=")?.text == "")
    #expect(FieldArgument("=x") == nil)
    #expect(FieldArgument("-=x") == nil)
    #expect(FieldArgument("word") == nil)
    let trip = FieldType.reference(to: TypeID(trusted: "Trip"))
    let time = Self.athens
    #expect(try ValueText.argument("Kyoto", as: trip, in: time) == .references([.title("Kyoto")]))
    #expect(try ValueText.argument("", as: trip, in: time) == .value(.empty))
    #expect(try ValueText.argument("@a.txt", as: .longText, in: time) == .file(path: "a.txt"))
    #expect(try ValueText.argument("@", as: .text, in: time) == .value(.text("@")))
    #expect(try ValueText.argument("@a.jpg", as: .attachment, in: time) == .file(path: "a.jpg"))
  }

  @Test func `an addition builds on what is held`() throws {
    #expect(try ValueEdit.add(.integer(2)).applied(to: .integer(3)) == .integer(5))
    #expect(try ValueEdit.subtract(.integer(2)).applied(to: .empty) == .integer(-2))
    #expect(throws: ValueMistake.overflow) {
      try ValueEdit.add(.integer(1)).applied(to: .integer(.max))
    }
    let tags = Value.tags(TagSet(["a", "b"]))
    #expect(
      try ValueEdit.add(.tags(TagSet(["b", "c"]))).applied(to: tags)
        == .tags(TagSet(["a", "b", "c"])))
    #expect(try ValueEdit.subtract(tags).applied(to: tags) == .empty)
    #expect(throws: ValueMistake.notAddable) {
      try ValueEdit.add(.text("a")).applied(to: .text("b"))
    }
  }

  @Test(arguments: [
    "a,\u{301}b", "\"\u{301}", ",\u{200D}", "\u{301}", " \u{301}x", "a\u{301}\r\n", "\r\n,",
  ])
  func `a tag with marks that join what is before them comes back as it was`(tag: String) throws {
    let tags = Value.tags(TagSet([tag, "b"]))
    #expect(try read(ValueText.flat(tags), .tags) == tags)
  }
}

extension CalendarDate {
  /// A day for where the calendar leaves no doubt.
  static var someDay: CalendarDate {
    guard let day = CalendarDate(dayNumber: 0) else { preconditionFailure("1970 is a year") }
    return day
  }
}
