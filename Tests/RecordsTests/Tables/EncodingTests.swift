import Foundation
import Records
import Testing

/// Encodings of tables.
struct EncodingTests {
  private func decoded(_ bytes: [UInt8], _ encoding: TextEncoding, chunk: Int = 7) -> [UInt8] {
    var decoder = TextDecoder(encoding)
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      bytes[start..<min(start + chunk, bytes.count)].withUnsafeBufferPointer {
        decoder.decode($0, into: &output)
      }
    }
    decoder.finish(into: &output)
    return output
  }

  private static let japanese = "郵便番号,市区町村\r\n0600000,札幌市中央区\r\n,ﾎｯｶｲﾄﾞｳ ～纊①\\~\r\n"

  @Test func `Shift JIS decodes, byte by byte too`() throws {
    // From Python's codec cp932.
    let bytes: [UInt8] = [
      0x97, 0x58, 0x95, 0xD6, 0x94, 0xD4, 0x8D, 0x86, 0x2C, 0x8E, 0x44, 0x96, 0x79, 0xCE, 0xAF,
      0xB6, 0xB2, 0xC4, 0xDE, 0xB3, 0x81, 0x60, 0xFA, 0x5C, 0x87, 0x40, 0x5C, 0x7E,
    ]
    let text = "郵便番号,札幌ﾎｯｶｲﾄﾞｳ～纊①\\~"
    for chunk in [1, 2, 100] {
      #expect(String(decoding: decoded(bytes, .shiftJIS, chunk: chunk), as: UTF8.self) == text)
    }
    #expect(TextEncoding.detect(bytes) == .shiftJIS)
  }

  @Test func `Shift JIS agrees with the system's own table`() throws {
    let foundation = String.Encoding.shiftJIS
    var compared = 0
    for lead in Array(UInt8(0x81)...0x9F) + Array(0xE0...0xEA) {
      for trail in UInt8(0x40)...0xFC {
        guard let theirs = String(bytes: [lead, trail], encoding: foundation),
          theirs.unicodeScalars.count == 1
        else { continue }
        let ours = String(decoding: decoded([lead, trail], .shiftJIS), as: UTF8.self)
        // Microsoft's page maps a handful of symbols to their wide forms.
        let differing = "〜‖−¢£¬—¥‾"
        if !differing.contains(theirs) { #expect(ours == theirs, "\(lead) \(trail)") }
        compared += 1
      }
    }
    #expect(compared > 6000)
  }

  @Test func `UTF-16 decodes with and without its mark`() {
    let units = Array(Self.japanese.utf16) + Array("😀".utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let expected = Array((Self.japanese + "😀").utf8)
    #expect(decoded(little, .utf16LittleEndian) == expected)
    #expect(decoded([0xFE, 0xFF] + big, .utf16BigEndian) == expected)
    #expect(TextEncoding.detect([0xFF, 0xFE] + little) == .utf16LittleEndian)
    let plain = Array("name,country\r\nPorto,PT\r\n".utf16)
    #expect(TextEncoding.detect(plain.flatMap { [UInt8($0 & 0xFF), 0] }) == .utf16LittleEndian)
    #expect(TextEncoding.detect(plain.flatMap { [0, UInt8($0 & 0xFF)] }) == .utf16BigEndian)
  }

  @Test func `Latin decodes, and is not taken for Japanese`() {
    let bytes =
      Array("caf".utf8) + [0xE9, 0x2C, 0x80, 0x20] + Array("M".utf8) + [0xFC] + Array("nchen".utf8)
    #expect(TextEncoding.detect(bytes) == .windows1252)
    #expect(String(decoding: decoded(bytes, .windows1252), as: UTF8.self) == "café,€ München")
    #expect(TextEncoding.detect(Array("naïve,日本".utf8)) == .utf8)
    #expect(TextEncoding.detect([]) == .utf8)
  }

  @Test func `a few broken bytes leave UTF-8 what it is`() {
    let file = Array("a,b\n1,".utf8) + [0xFF] + Array("\n東京,大阪\n".utf8)
    #expect(TextEncoding.detect(file) == .utf8)
    // As many of either are another encoding.
    #expect(TextEncoding.detect(Array("é".utf8) + [0xE9, 0x2C]) == .windows1252)
    let cut = Array(String(repeating: "京", count: 30_000).utf8)[..<TableFormat.headBytes]
    #expect(TextEncoding.detect(Array(cut)) == .utf8)
  }

  @Test func `what does not decode refuses its row`() {
    for (bytes, encoding): ([UInt8], TextEncoding) in [
      ([0x85, 0x40], .shiftJIS), ([0x81], .shiftJIS),
      ([0x00, 0xD8, 0x41, 0x00], .utf16LittleEndian),
      ([0x41], .utf16LittleEndian),
    ] {
      #expect(CSVTests.rows(decoded(bytes, encoding)).first?.contains("invalidText") == true)
    }
    let rows = CSVTests.rows(decoded([0x81, 0x2C, 0x41, 0x0A, 0x42], .shiftJIS))
    #expect(rows == ["1:invalidText(column: 0)", "2:B"])
  }

  @Test func `names are taken in any spelling`() {
    #expect(TextEncoding(named: "Shift-JIS") == .shiftJIS)
    #expect(TextEncoding(named: "SJIS") == .shiftJIS)
    #expect(TextEncoding(named: "UTF_16LE") == .utf16LittleEndian)
    #expect(TextEncoding(named: "latin-1") == .latin1)
    #expect(TextEncoding(named: "ebcdic") == nil)
    for name in TextEncoding.names { #expect(TextEncoding(named: name)?.rawValue == name) }
  }
}
