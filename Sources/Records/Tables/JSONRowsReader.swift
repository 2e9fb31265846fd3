// Rows out of JSON, in chunks that may end anywhere: one object a line (NDJSON), or an array of
// objects, or objects one after the other. Only one object is ever held.

/// One row of a JSON table.
package struct JSONRow: Sendable {
  /// The line where it begins, from 1.
  package let line: Int
  /// Which of the array's elements it is, from 1, where others stand on its line too.
  package let element: Int?
  package let result: Result<[JSON.Member], RowProblem>

  package var members: [JSON.Member]? { try? result.get() }
}

extension RowProblem: Error {}

/// Reads rows of JSON.
package struct JSONRowsReader: Sendable {
  /// The most bytes of one object.
  package static let rowBytesMax = 64 << 20

  /// One value a line: a broken line is refused, and reading goes on behind it.
  private let isLines: Bool
  private var row: [UInt8] = []
  private var rowLine = 1
  /// How many bytes of its line stand before the row.
  private var rowOffset = 0
  private var line = 1
  private var offset = 0
  /// How many elements of the array were handed out.
  private var elements = 0
  /// Where the array, or the element before this one, begins.
  private var lineBefore = 0
  private var depth = 0
  private var isString = false
  private var isEscaped = false
  private var isTooLong = false
  /// Inside the outermost array, which is not a row itself.
  private var isArray = false
  /// Behind the outermost array's bracket.
  private var isClosed = false
  private var sawValue = false

  package init(lines: Bool) { isLines = lines }

  /// Reads the next chunk and hands out the rows that end in it.
  package mutating func read<Failure>(
    _ chunk: UnsafeBufferPointer<UInt8>, row body: (JSONRow) throws(Failure) -> Void
  ) throws(Failure) {
    for byte in chunk {
      if isLines { try readLine(byte, body) } else { try readValue(byte, body) }
      offset += 1
      if byte == 0x0A {
        line += 1
        offset = 0
      }
    }
  }

  /// The line where the row at hand begins.
  package var startLine: Int { row.isEmpty ? line : rowLine }

  /// Hands out what stands behind the last line's end or bracket.
  package mutating func finish<Failure>(
    row body: (JSONRow) throws(Failure) -> Void
  ) throws(Failure) {
    let isCut = isArray && !isClosed && row.isEmpty
    try endRow(body)
    // Cut between two rows: what is missing can't be told from what was never there.
    if isCut {
      let mistake = JSONMistake(kind: .commaOrBracket, line: line, column: 1)
      try body(JSONRow(line: line, element: nil, result: .failure(.json(mistake))))
    }
  }

  private mutating func readLine<Failure>(
    _ byte: UInt8, _ body: (JSONRow) throws(Failure) -> Void
  ) throws(Failure) {
    if byte == 0x0A { return try endRow(body) }
    append(byte)
  }

  private mutating func readValue<Failure>(
    _ byte: UInt8, _ body: (JSONRow) throws(Failure) -> Void
  ) throws(Failure) {
    if isString {
      append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == 0x5C {
        isEscaped = true
      } else if byte == 0x22 {
        isString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "[") where depth == 0 && !sawValue && !isArray && row.isEmpty:
      isArray = true
      lineBefore = line
    case UInt8(ascii: "]") where depth == 0 && isArray:
      isClosed = true
      try endRow(body)
    case UInt8(ascii: ",") where depth == 0: try endRow(body)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      append(byte)
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      append(byte)
      depth = max(0, depth - 1)
      if depth == 0 { try endRow(body) }
    default:
      append(byte)
      isString = byte == 0x22
    }
  }

  private mutating func append(_ byte: UInt8) {
    if row.isEmpty {
      // Blanks and a byte order mark before a value are nothing.
      if byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { return }
      if !sawValue, byte == 0xEF || byte == 0xBB || byte == 0xBF { return }
      rowLine = line
      rowOffset = offset
    }
    if row.count < Self.rowBytesMax { row.append(byte) } else { isTooLong = true }
  }

  private mutating func endRow<Failure>(
    _ body: (JSONRow) throws(Failure) -> Void
  ) throws(Failure) {
    defer {
      row.removeAll(keepingCapacity: row.count < 1 << 20)
      (depth, isString, isEscaped, isTooLong) = (0, false, false, false)
    }
    guard !row.isEmpty else { return }
    sawValue = true
    elements += 1
    let element = isArray && lineBefore == rowLine ? elements : nil
    lineBefore = rowLine
    try body(JSONRow(line: rowLine, element: element, result: result()))
  }

  private func result() -> Result<[JSON.Member], RowProblem> {
    if isTooLong { return .failure(.fieldTooLong(bytesMax: Self.rowBytesMax)) }
    let parsed = row.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONMistake) in try JSON.read(bytes, line: rowLine) }
    }
    switch parsed {
    case .success(.object(let members)): return .success(members)
    case .success: return .failure(.notAnObject)
    case .failure(let mistake):
      let before = mistake.line == rowLine ? rowOffset : 0
      return .failure(
        .json(
          JSONMistake(kind: mistake.kind, line: mistake.line, column: mistake.column + before)))
    }
  }
}
