import Records
import TestKit
import Testing

/// JSON in and out.
struct JSONTests {
  @Test(arguments: [
    #"{"a":[1,-2.5,true,null,""],"b":{}}"#, "[]", "9223372036854775807", "-9223372036854775808",
    "0.1", "1e400", "12.50", "\"日本😀\"", #""\"\\\n\t\u0000\u001b""#, #""\u007f\u0085\u202e\u2028""#,
  ])
  func `what is read is written again`(text: String) throws {
    #expect(try JSON.read(text).text == text)
  }

  @Test func `escapes and blanks are understood`() throws {
    #expect(try JSON.read(" \n{ \"a\" : \"\\ud83d\\ude00\\u65e5\\/\" }\r\n")["a"] == "😀日/")
    #expect(try JSON.read("\u{FEFF}1") == .integer(1))
    #expect(try JSON.read("{\"a\":1,\"a\":2}")["a"] == .integer(2))
  }

  @Test(arguments: [
    ("", JSONMistake.Kind.value), ("{", .name), ("[1 2]", .commaOrBracket), ("{\"a\" 1}", .colon),
    ("{\"a\":1 \"b\"}", .commaOrBrace), ("01", .end), ("-", .number), ("1.", .number),
    ("tru", .value),
    ("\"a", .unclosedString), ("\"\n\"", .controlCharacter), ("\"\\x\"", .escape),
    ("\"\\ud800\"", .escape), ("1 2", .end), ("[1,]", .value), ("{\"a\":1,}", .name),
    ("NaN", .value),
  ])
  func `a mistake is named`(text: String, kind: JSONMistake.Kind) {
    do {
      _ = try JSON.read(text)
      Issue.record("\(text) is no JSON")
    } catch {
      #expect(error.kind == kind)
    }
  }

  @Test func `a mistake has its place`() {
    do {
      _ = try JSON.read("{\n  \"a\": x}")
      Issue.record("x is no JSON")
    } catch {
      #expect((error.line, error.column) == (2, 8))
    }
  }

  @Test func `depth is bounded, and bytes are checked`() {
    #expect(throws: JSONMistake.self) { try JSON.read(String(repeating: "[", count: 100_000)) }
    #expect(throws: JSONMistake.self) { try JSON.read([0x22, 0xFF, 0x22]) }
    #expect(throws: JSONMistake.self) { try JSON.read([0x22, 0x5C, 0x6E, 0xFF, 0x22]) }
  }

  @Test func `values survive the trip`() throws {
    let time = ValueTextTests.athens
    var values: [(Value, FieldType)] = [
      (.empty, .text), (.text("\u{0}\u{1B}[31m\"é"), .text), (.integer(.min), .integer),
      (.number(0.1 + 0.2), .number), (.boolean(true), .boolean),
      (.date(CalendarDate.someDay), .date), (.dateTime(Timestamp(milliseconds: -1)), .dateTime),
      (.tags(TagSet(["a,b", "\"", ""])), .tags),
      (.reference(RecordID(high: 1, low: 2)), .reference(to: TypeID(trusted: "T"))),
      (.references([RecordID(high: 1, low: 2)]), .references(to: TypeID(trusted: "T"))),
      (
        .attachment(Attachment(hash: String(repeating: "a", count: 64), name: "x", size: 3)),
        .attachment
      ),
    ]
    values += [Decimal("1234567890.123456789012345").map { (.decimal($0), .decimal) }].compactMap(
      \.self)
    values += [Location(latitude: -1.5, longitude: 2).map { (.location($0), .location) }]
      .compactMap(\.self)
    for (value, type) in values {
      var bytes: [UInt8] = []
      ValueJSON.append(value, to: &bytes)
      let json = try JSON.read(bytes)
      #expect(json == ValueJSON.json(value) || type == .number || type == .location)
      #expect(try ValueJSON.read(json, as: type, in: time) == value)
    }
  }

  @Test func `what others write is understood where nothing is lost`() throws {
    func read(_ text: String, _ type: FieldType) throws -> Value {
      try ValueJSON.read(JSON.read(text), as: type, in: ValueTextTests.athens)
    }
    #expect(try read("5.0", .integer) == .integer(5))
    #expect(try read("\"5\"", .integer) == .integer(5))
    #expect(try read("12.50", .text) == .text("12.50"))
    #expect(try read("12.50", .decimal) == Decimal("12.5").map(Value.decimal))
    #expect(throws: ValueMistake.integer) { try read("5.5", .integer) }
    #expect(throws: ValueMistake.integerRange) { try read("9223372036854775808", .integer) }
    #expect(throws: ValueMistake.text) { try read("{}", .text) }
    #expect(throws: ValueMistake.tags) { try read("[1]", .tags) }
    #expect(throws: ValueMistake.number) { try read("1e400", .number) }
  }

  private func rows(_ text: String, lines: Bool, chunk: Int) -> [String] {
    var reader = JSONRowsReader(lines: lines)
    var rows: [String] = []
    func note(_ row: JSONRow) {
      switch row.result {
      case .success(let members): rows.append("\(row.line):" + JSON.object(members).text)
      case .failure(.json(let mistake)): rows.append("\(row.line):\(mistake.kind)@\(mistake.line)")
      case .failure(let problem): rows.append("\(row.line):\(problem)")
      }
    }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      bytes[start..<min(start + chunk, bytes.count)].withUnsafeBufferPointer {
        reader.read($0, row: note)
      }
    }
    reader.finish(row: note)
    return rows
  }

  @Test(arguments: [1, 3, 1000])
  func `rows come out of lines and arrays`(chunk: Int) {
    #expect(
      rows("{\"a\":1}\n\n{\"a\":\n{\"b\":\"]\"}\n5", lines: true, chunk: chunk)
        == ["1:{\"a\":1}", "3:value@3", "4:{\"b\":\"]\"}", "5:notAnObject"])
    #expect(
      rows("\u{FEFF}[\n {\"a\":[{}]},\n {\"b\":\"}\\\"\"\n },{} , 7]\n", lines: false, chunk: chunk)
        == ["2:{\"a\":[{}]}", "3:{\"b\":\"}\\\"\"}", "4:{}", "4:notAnObject"])
    #expect(
      rows("{\"a\":1} {\"a\":2}", lines: false, chunk: chunk) == ["1:{\"a\":1}", "1:{\"a\":2}"])
    #expect(rows("[]", lines: false, chunk: chunk) == [])
    #expect(rows("[{\"a\":1", lines: false, chunk: chunk) == ["1:commaOrBrace@1"])
  }

  @Test(arguments: [1, 3, 1000])
  func `an array that ends too early says so`(chunk: Int) {
    #expect(
      rows("[{\"a\":1},\n{\"b\":2}", lines: false, chunk: chunk)
        == ["1:{\"a\":1}", "2:{\"b\":2}", "2:commaOrBracket@2"])
    #expect(rows("[{}, \n", lines: false, chunk: chunk) == ["1:{}", "2:commaOrBracket@2"])
    #expect(rows("[", lines: false, chunk: chunk) == ["1:commaOrBracket@1"])
    #expect(rows("[{}]\n", lines: false, chunk: chunk) == ["1:{}"])
  }
}
