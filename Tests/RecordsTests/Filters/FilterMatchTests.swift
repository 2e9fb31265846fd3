import Records
import Testing

/// What passes a filter.
struct FilterMatchTests {
  private static let kobe: [String: Value] = [
    "name": .text("Kōbe Port"), "country": .text("JP"), "population": .integer(1_500_000),
    "visited": .boolean(false), "rating": .text("fair"),
    "tags": .tags(TagSet(["coast", "big city"])),
    "due": .date(CalendarDate.someDay.adding(days: 20_780)),
    "seen": .dateTime(Timestamp(milliseconds: 1_795_302_000_000)),
    "trip": .reference(FilterTests.trip),
    "photo": .attachment(Attachment(hash: "", name: "harbour.jpg", size: 9)),
  ]

  private func passes(_ text: String) throws -> Bool {
    var values = Self.kobe
    values["price"] = Decimal("12.50").map(Value.decimal)
    let filter = try Filter.read(text, for: FilterTests.type, in: FilterTests.time)
    return filter.matches(
      FilterTests.type, value: { values[$0.name] ?? .empty }, words: { $0 == "kobe" },
      title: { $0 == FilterTests.trip ? "Kyoto in May" : nil })
  }

  @Test(arguments: [
    "", "country=JP", "country!=FR", "country>=JA", "population=1500000", "population>1499999",
    "population=1000000..2000000", "population=..1500000", "name~PORT", "name~kŌbe", "-visited",
    "visited=false", "visited!=true", "rating>low", "rating<=fair", "rating=low..fair",
    "rating!=good", "tags:coast", "tags:\"big city\"", "tags~big", "tag:coast", "-tags:sea",
    "tags=\"big city\",coast", "due=2026-11", "due=2026", "due<=today+7d", "due>today",
    "notes=", "-notes:", "notes!=x", "-notes=x", "name:", "trip=\"Kyoto in May\"", "trip~kyoto",
    "trip=00000000-0000-0007-0000-000000000008", "trip!=Kyoto", "photo~JPG", "photo=harbour.jpg",
    "price=12.5", "price>12.49", "price=12..13", "or(visited country=JP)", "kobe", "-tokyo",
    "seen=2026-11-22", "seen=2026-11-22T00:00", "seen>today", "country=JP population>1000000",
  ])
  func `passes`(text: String) throws { #expect(try passes(text)) }

  @Test(arguments: [
    "country=jp", "country!=JP", "visited", "population<1500000", "population!=1500000",
    "population=2000000..", "name~porto", "rating<fair", "rating>fair", "tags:big", "tags=coast",
    "due=2026-10", "due<today", "notes:", "notes~x", "notes<x", "name=", "trip=Kyoto", "photo=jpg",
    "share>0", "share<0", "share=0", "price=12.51", "or(visited tokyo)", "tokyo", "-kobe",
    "country=JP visited", "seen=today", "seen=2026-11-22T00:01",
  ])
  func `does not pass`(text: String) throws { #expect(try !passes(text)) }

  @Test func `contains folds as SQL does for ASCII, and by lower case otherwise`() {
    #expect(TextMatch("kel").matches("KEL"))
    #expect(!TextMatch("k").matches("\u{212A}"))
    #expect(TextMatch("ÅRE").matches("in åre"))
    #expect(TextMatch("").matches(""))
    #expect(!TextMatch("ab").matches("a"))
    #expect(TextMatch("東").matches("関東"))
  }

  @Test(arguments: ["k", "ÅRE", "東", "札幌", "ﾎﾟ", "ß", "İ", "λό", "a東", "", "한국"])
  func `finds the same in a text's bytes`(needle: String) {
    let match = TextMatch(needle)
    let texts = [
      "", "K", "\u{212A}", "in åre", "関東", "札\u{3099}幌", "札幌市", "ﾎﾟﾙﾄ", "STRASSE ẞ", "i\u{307}",
      "ΛΌΓΟΣ", "A東", "plain", "大한국",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      #expect(bytes.withUnsafeBufferPointer { match.matches(utf8: $0) } == match.matches(text))
      guard match.isCaseless else { continue }
      // What SQL's instr finds.
      let isThere = bytes.indices.contains { bytes[$0...].starts(with: needle.utf8) }
      #expect(isThere == match.matches(text))
    }
  }
}
