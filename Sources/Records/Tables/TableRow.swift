// One row of a table in one buffer, which its reader uses again for the next row: a million rows cost
// no allocation each.

/// What is wrong with a row as such, before any value is looked at.
package enum RowProblem: Hashable, Sendable {
  /// Bytes that are no text in the file's encoding.
  case invalidText(column: Int)
  /// A quote that nothing closes before the file ends.
  case unclosedQuote
  case fieldTooLong(bytesMax: Int)
  case tooManyFields(max: Int)
  case json(JSONMistake)
  /// JSON, but not an object of fields.
  case notAnObject
}

/// One row of a table: its fields, in UTF-8.
package struct TableRow: Sendable {
  /// The most bytes of one field; also what an unclosed quote can make the reader hold.
  package static let fieldBytesMax = 16 << 20
  package static let fieldsMax = 4096

  /// The line where the row begins, from 1.
  package internal(set) var line = 0
  /// Nothing for a row that reads well.
  package internal(set) var problem: RowProblem?
  /// All fields one after the other: UTF-8 if there is no problem.
  ///
  /// ``range(at:)`` says where.
  package internal(set) var bytes: [UInt8] = []
  /// Where each field ends in `bytes`.
  var ends: [Int] = []
  /// How many bytes of `bytes` lie between two fields: 1 where the delimiters were copied along.
  var gap = 0
  /// Whether any field was quoted: an empty quoted field is a row, an empty line is none.
  var hasQuotes = false

  package init() {}

  package var count: Int { ends.count }

  /// Where a field lies; empty for a column that the row does not reach.
  package func range(at column: Int) -> Range<Int> {
    guard column < ends.count else { return bytes.count..<bytes.count }
    return (column == 0 ? 0 : ends[column - 1] + gap)..<ends[column]
  }

  package func isEmpty(at column: Int) -> Bool { range(at: column).isEmpty }

  package func text(at column: Int) -> String {
    withBytes(at: column) { String(decoding: $0, as: UTF8.self) }
  }

  package var texts: [String] { (0..<count).map { text(at: $0) } }

  /// Reads a field as a value.
  package func value(
    at column: Int, _ reader: borrowing ValueBytesReader
  ) throws(ValueMistake) -> Value {
    try withBytes(at: column) { bytes throws(ValueMistake) in try reader.read(bytes) }
  }

  /// The bytes of a field, for as long as the closure runs.
  @inline(__always)
  package func withBytes<Result, Failure>(
    at column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = range(at: column)
    return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: buffer[range]))
    }
  }

  /// How many fields with something in them stand behind the last column.
  package func overflow(beyond columns: Int) -> Int {
    guard count > columns else { return 0 }
    return (columns..<count).count { !isEmpty(at: $0) }
  }

  mutating func clear(line: Int) {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    problem = nil
    hasQuotes = false
    gap = 0
    self.line = line
  }

  mutating func close() {
    if ends.count < Self.fieldsMax {
      ends.append(bytes.count)
    } else {
      problem = problem ?? .tooManyFields(max: Self.fieldsMax)
      bytes.removeLast(bytes.count - (ends.last ?? 0))
    }
  }

  mutating func append(_ slice: UnsafeBufferPointer<UInt8>) {
    if bytes.count - (ends.last ?? 0) + slice.count > Self.fieldBytesMax {
      problem = problem ?? .fieldTooLong(bytesMax: Self.fieldBytesMax)
    } else {
      bytes.append(contentsOf: slice)
    }
  }

  /// Looks for bytes that are no UTF-8, field by field.
  mutating func validate() {
    guard problem == nil else { return }
    let invalid = bytes.withUnsafeBufferPointer { buffer -> Int? in
      // Delimiters between the fields are ASCII: a whole row is valid if and only if its fields are.
      if UTF8Check.isASCII(buffer) || gap == 1 && UTF8Check.isValid(buffer) { return nil }
      return (0..<count).first {
        !UTF8Check.isValid(UnsafeBufferPointer(rebasing: buffer[range(at: $0)]))
      }
    }
    if let invalid { problem = .invalidText(column: invalid) }
  }
}

/// Whether bytes are text.
enum UTF8Check {
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    while index + 8 <= bytes.count {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index += 8
    }
    while index < bytes.count {
      if bytes[index] >= 0x80 { return false }
      index += 1
    }
    return true
  }

  /// Well-formed by the Unicode Standard, table 3-7.
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    validPrefix(bytes) == bytes.count
  }

  /// How many characters of several bytes there are, and how many bytes that belong to none.
  ///
  /// - Parameter isCut: The last character may be there in part only, and is not counted then.
  static func census(
    _ bytes: UnsafeBufferPointer<UInt8>, isCut: Bool
  ) -> (characters: Int, broken: Int) {
    var characters = 0
    var broken = 0
    var start = 0
    while start < bytes.count {
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      let valid = validPrefix(rest)
      // Every character of several bytes has one byte that is no continuation.
      characters += rest[..<valid].count { $0 >= 0xC0 }
      start += valid
      guard start < bytes.count else { break }
      let isTail = bytes.count - start < 4 && bytes[start] >= 0xC2
      if isCut, isTail, bytes[(start + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 }) { break }
      broken += 1
      start += 1
    }
    return (characters, broken)
  }

  /// How many bytes from the front are well-formed.
  static func validPrefix(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    let count = bytes.count
    while index < count {
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let width = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
      guard width > 0, index + width <= count else { return index }
      let second = bytes[index + 1]
      let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
      let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
      guard second >= low, second <= high else { return index }
      if width > 2, bytes[index + 2] & 0xC0 != 0x80 { return index }
      if width > 3, bytes[index + 3] & 0xC0 != 0x80 { return index }
      index += width
    }
    return count
  }
}
