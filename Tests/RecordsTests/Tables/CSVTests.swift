import Records
import TestKit
import Testing

/// Rows out of delimited text.
struct CSVTests {
  /// All rows, read in chunks of one size; a problem stands for the row that has it.
  static func rows(
    _ bytes: [UInt8], delimiter: Character = ",", chunk: Int = 1 << 16
  ) -> [String] {
    var reader = CSVReader(delimiter: delimiter.asciiValue ?? 44)
    var rows: [String] = []
    func note(_ row: inout TableRow) {
      let text = row.problem.map { "\($0)" } ?? row.texts.joined(separator: "|")
      rows.append("\(row.line):\(text)")
    }
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      bytes[start..<min(start + chunk, bytes.count)].withUnsafeBufferPointer {
        reader.read($0, row: note)
      }
    }
    reader.finish(row: note)
    return rows
  }

  static func rows(_ text: String, delimiter: Character = ",") -> [String] {
    rows(Array(text.utf8), delimiter: delimiter)
  }

  @Test(arguments: [
    ("a,b\n1,2\n", ["1:a|b", "2:1|2"]),
    ("a,b\r\n1,2", ["1:a|b", "2:1|2"]),
    ("a,b\r1,2\r", ["1:a|b", "2:1|2"]),
    ("\u{FEFF}a,b\n", ["1:a|b"]),
    ("\"a,\"\"b\"\"\",\"c\nd\"\ne", ["1:a,\"b\"|c\nd", "3:e"]),
    ("a,,\n,,", ["1:a||", "2:||"]),
    ("\n\na\n\n\"\"\n", ["3:a", "5:"]),
    ("a \"b\" c,d", ["1:a \"b\" c|d"]),
    ("\"a\"b,c", ["1:ab|c"]),
    ("a\n\"open, \n", ["1:a", "2:unclosedQuote"]),
    ("札幌,\"東,京\"", ["1:札幌|東,京"]),
    ("", []),
  ])
  func `a table reads as people mean it`(text: String, expected: [String]) {
    #expect(Self.rows(text) == expected)
    for chunk in 1...5 { #expect(Self.rows(Array(text.utf8), chunk: chunk) == expected) }
  }

  @Test(arguments: [";", "\t", "|", ","])
  func `a first line can name the delimiter, and is no row`(delimiter: String) {
    let text = "sep=\(delimiter)\r\nname\(delimiter)note\r\na\(delimiter)x,y;z\r\n"
    #expect(CSVReader.delimiter(of: Array(text.utf8)) == delimiter.utf8.first)
    #expect(CSVReader.delimiter(of: Array(("\u{FEFF}" + text).utf8)) == delimiter.utf8.first)
    let rows = Self.rows(text, delimiter: Character(delimiter))
    #expect(rows.first == "2:name|note")
    #expect(Self.rows("\u{FEFF}" + text, delimiter: Character(delimiter)) == rows)
    // Anywhere else it is a row like any other.
    #expect(Self.rows("a;b\nsep=;\n", delimiter: ";") == ["1:a|b", "2:sep=|"])
    #expect(Self.rows("sep=;x\n", delimiter: ";") == ["1:sep=|x"])
  }

  @Test func `a broken character refuses its row alone`() {
    let bytes = Array("a,b\nx,".utf8) + [0xE3, 0x81] + Array("\nc,d\n".utf8)
    #expect(Self.rows(bytes) == ["1:a|b", "2:invalidText(column: 1)", "3:c|d"])
    // Two halves in two fields are no character.
    #expect(Self.rows([0xE3, 0x81, 0x2C, 0x82]) == ["1:invalidText(column: 0)"])
  }

  @Test func `sizes are bounded`() {
    let wide = [UInt8](repeating: 0x2C, count: TableRow.fieldsMax + 5)
    #expect(Self.rows(wide) == ["1:tooManyFields(max: 4096)"])
    let long = [UInt8](repeating: 0x61, count: TableRow.fieldBytesMax + 1) + Array(",b\nc\n".utf8)
    #expect(Self.rows(long) == ["1:fieldTooLong(bytesMax: 16777216)", "2:c"])
  }

  @Test func `what is written reads back, whatever it is`() {
    var random = SeededGenerator(seed: 5)
    let parts = ["a", ",", "\"", "\n", "\r", " ", "札", "", "\u{FEFF}", ";"]
    for _ in 0..<500 {
      let fields = (0..<3).map { _ in
        (0..<3).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
      }
      var bytes: [UInt8] = []
      CSVWriter.append(fields, to: &bytes)
      #expect(Self.rows(bytes) == ["1:" + fields.joined(separator: "|")], "\(fields)")
    }
  }

  @Test(arguments: [
    ("a,b;c\n1,2\n3,4\n", ","), ("a;b;c\n1,5;2;3\n", ";"), ("a\tb\n1\t2\n", "\t"),
    ("a|b|c\n1|2|3\n", "|"), ("name\nx\n", ","), ("\"a;b\",c\n\"d;e\",f\n", ","), ("", ","),
  ])
  func `the delimiter is told from the text`(text: String, delimiter: Character) {
    #expect(CSVReader.delimiter(of: Array(text.utf8)) == delimiter.asciiValue)
  }
}
