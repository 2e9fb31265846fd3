import Records
import Testing

/// Record types out of tables.
struct InferenceTests {
  private func inferred(_ text: String, key: String? = nil) -> InferredType {
    var reader = CSVReader()
    var inference: TypeInference?
    func add(_ row: inout TableRow) {
      if inference == nil {
        inference = TypeInference(header: row.texts)
      } else {
        inference?.add(row)
      }
    }
    Array(text.utf8).withUnsafeBufferPointer { reader.read($0, row: add) }
    reader.finish(row: add)
    return (inference ?? TypeInference()).type(id: TypeID(trusted: "T"), key: key)
  }

  private func column(_ cells: String...) -> String {
    inferred("x\n" + cells.joined(separator: "\n")).type.fields.first?.type.word ?? ""
  }

  @Test func `values tell a column's type`() {
    #expect(column("1", "-5", "0") == "integer")
    #expect(column("9223372036854775807") == "integer")
    #expect(column("1", "2.5") == "number")
    #expect(column("42.50729", "-0.5") == "number")
    #expect(column("0.1234567890123456789") == "decimal")
    #expect(column("123456789012345678", "0.5") == "decimal")
    #expect(column("true", "FALSE") == "boolean")
    #expect(column("yes", "no") == "boolean")
    #expect(column("0", "1") == "integer")
    #expect(column("2026-11-21", "2024-02-29") == "date")
    #expect(column("2026-11-21T10:00:00Z", "2026-11-21 09:30") == "dateTime")
    #expect(column("2026-11-21", "2026-11-21T09:30:00") == "dateTime")
  }

  @Test func `what would not come back as it was stays text`() {
    #expect(column("007") == "text")
    #expect(column("1", "01") == "text")
    #expect(column("+5") == "text")
    #expect(column("-0") == "text")
    #expect(column("1e5") == "text")
    #expect(column("\"1,5\"") == "text")
    #expect(column("12345678901234567890") == "text")
    #expect(column("2026-02-30") == "text")
    #expect(column("1", "n/a") == "text")
    #expect(column("true", "1") == "text")
    #expect(column(" 1") == "text")
    #expect(column(".5") == "text")
    #expect(column("\"\"", "\"\"") == "text")
    #expect(column(String(repeating: "a", count: 201)) == "longText")
    #expect(column("\"a\nb\"") == "longText")
  }

  @Test func `headers become names, each once`() {
    let result = inferred(
      "_id,Postal Code,postal-code,,都市,2nd,_x,name\na,b,c,d,e,f,g,h", key: "Postal Code")
    let fields = result.type.fields
    #expect(
      fields.map(\.name)
        == ["Postal_Code", "postal_code_2", "column_4", "column_5", "n_2nd", "x", "name"])
    #expect(fields.map(\.label) == ["Postal Code", "postal-code", nil, "都市", "2nd", "_x", nil])
    #expect(result.identityColumn == 0)
    #expect(result.columns.map { $0?.name } == [nil] + fields.map(\.id.name))
    #expect(result.type.key?.name == "Postal_Code")
    #expect(result.type.title?.name == "name")
  }

  @Test func `JSON tells its own types`() throws {
    var inference = TypeInference()
    for line in [
      #"{"n":1,"x":0.5,"s":"007","b":true,"t":["a"],"p":{"lat":1,"lon":2},"d":"2026-11-21","o":{"a":1}}"#,
      #"{"n":null,"x":2,"s":"8","later":5}"#,
    ] {
      guard case .object(let members) = try JSON.read(line) else { continue }
      inference.add(members)
    }
    let type = inference.type(id: TypeID(trusted: "T")).type
    #expect(
      type.fields.map { "\($0.name) \($0.type.word)" }
        == [
          "n integer", "x number", "s text", "b boolean", "t tags", "p location", "d date",
          "o longText", "later integer",
        ])
  }

  @Test func `cells read as text does`() {
    let time = ValueTextTests.athens
    let cells = [
      "", "0", "-0", "5", "-17", "+3", "1.5", "-.5", "1.", ".", "-", "1e3", "123456789012345678",
      "9223372036854775808", "0.1", "123456.789", "99999999999999999999.5", "true", "false", "TRUE",
      "yes", "x", "2026-11-21", "today", "a,b", "1 ", "0.30000000000000004", "4.35", "1..2",
    ]
    let types: [FieldType] = [.integer, .number, .boolean, .text, .decimal, .date, .tags]
    for type in types {
      for cell in cells {
        let slow = Result { try ValueText.read(cell, as: type, in: time) }
        let fast = Array(cell.utf8).withUnsafeBufferPointer { bytes in
          Result { try ValueBytesReader(type, in: time).read(bytes) }
        }
        #expect((try? fast.get()) == (try? slow.get()), "\(type.word) \(cell)")
      }
    }
  }

  @Test func `search looks at titles, words and long texts, not at codes that come again`() {
    var rows = ["name,country,zone,place,serial,about"]
    for number in 0..<40 {
      let words = String(repeating: "long ", count: number == 9 ? 50 : 1)
      rows.append("n\(number % 3),PT,Africa/Porto-Novo,札幌市,S\(number),\(words)")
    }
    let type = inferred(rows.joined(separator: "\n")).type
    let searched = type.fields.filter(\.search).map(\.name)
    // The title is searched whatever it is; `n0` comes again and again here.
    #expect(searched == ["name", "place", "serial", "about"])
  }
}
