// Comma-separated values as people have them (RFC 4180 and its relatives), out of chunks of bytes that
// may end anywhere. UTF-8 in, rows out; nothing is opened or waited for here.
//
//     fieldStart ── quote ──▶ quoted ── quote ──▶ quoteInQuoted ── quote ──▶ quoted
//         │                                            │
//         └── other ──▶ plain ◀───────── other ────────┘      a delimiter or a line's end closes all
//                                                             but `quoted`

/// Reads rows of delimited text.
package struct CSVReader: Sendable {
  private enum State { case fieldStart, plain, quoted, quoteInQuoted }

  package let delimiter: UInt8
  private var row = TableRow()
  private var state = State.fieldStart
  private var line = 1
  /// After a carriage return: a line feed belongs to it.
  private var skipsLineFeed = false
  private var marksSeen = 0
  private var isAtStart = true

  /// The line where the row at hand begins.
  package var startLine: Int { row.line }

  package init(delimiter: UInt8 = UInt8(ascii: ",")) {
    self.delimiter = delimiter
    row.clear(line: 1)
  }

  /// Reads the next chunk and hands out the rows that end in it.
  ///
  /// - Parameter body: Sees one buffer, which the next row overwrites. Empty lines are skipped.
  package mutating func read<Failure>(
    _ chunk: UnsafeBufferPointer<UInt8>, row body: (inout TableRow) throws(Failure) -> Void
  ) throws(Failure) {
    var index = isAtStart ? skipMark(chunk) : 0
    let count = chunk.count
    while index < count {
      let byte = chunk[index]
      if skipsLineFeed {
        skipsLineFeed = false
        if byte == 0x0A {
          index += 1
          continue
        }
      }
      switch state {
      case .fieldStart where row.ends.isEmpty && takeSimpleRow(chunk, &index): try endRow(body)
      case .fieldStart where byte == 0x22:
        state = .quoted
        row.hasQuotes = true
        index += 1
      case .fieldStart, .plain:
        index = takePlain(chunk, from: index)
        if index < count { try close(chunk[index], &index, body) }
      case .quoted: takeQuoted(chunk, &index)
      case .quoteInQuoted:
        if byte == 0x22 {
          row.append(UnsafeBufferPointer(rebasing: chunk[index...index]))
          state = .quoted
          index += 1
        } else {
          state = .plain
        }
      }
    }
  }

  /// Hands out the last row, if the text does not end with a line's end.
  package mutating func finish<Failure>(
    row body: (inout TableRow) throws(Failure) -> Void
  ) throws(Failure) {
    if state == .quoted { row.problem = row.problem ?? .unclosedQuote }
    try endRow(body)
  }

  // MARK: Steps

  /// A byte order mark at the very front is none of the first field.
  private mutating func skipMark(_ chunk: UnsafeBufferPointer<UInt8>) -> Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for (index, byte) in chunk.enumerated() {
      guard marksSeen < 3, byte == mark[marksSeen] else {
        isAtStart = false
        if marksSeen < 3, marksSeen > index {
          // What looked like a mark at the end of the last chunk was none.
          mark.withUnsafeBufferPointer {
            row.append(UnsafeBufferPointer(rebasing: $0[0..<marksSeen]))
          }
          state = .plain
          return index
        }
        return marksSeen == 3 ? index : 0
      }
      marksSeen += 1
    }
    return chunk.count
  }

  /// Takes a row that lies in the chunk whole and has no quoted field: most rows of most tables, in
  /// one pass and one copy.
  private mutating func takeSimpleRow(
    _ chunk: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Bool {
    let start = index
    let limit = min(chunk.count, start + TableRow.fieldBytesMax)
    var fieldStart = start
    var end = start
    while end < limit {
      let byte = chunk[end]
      if byte == delimiter {
        row.ends.append(end - start)
        fieldStart = end + 1
      } else if byte == 0x0A || byte == 0x0D {
        break
      } else if byte == 0x22, end == fieldStart {
        end = limit
        break
      }
      end += 1
    }
    guard end < limit, end > start, row.ends.count < TableRow.fieldsMax else {
      row.ends.removeAll(keepingCapacity: true)
      return false
    }
    row.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[start..<end]))
    row.gap = 1
    skipsLineFeed = chunk[end] == 0x0D
    line += 1
    index = end + 1
    return true
  }

  private mutating func takePlain(_ chunk: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    let count = chunk.count
    while index < count {
      let byte = chunk[index]
      if byte == delimiter || byte == 0x0A || byte == 0x0D { break }
      index += 1
    }
    if index > start {
      row.append(UnsafeBufferPointer(rebasing: chunk[start..<index]))
      state = .plain
    }
    return index
  }

  private mutating func takeQuoted(_ chunk: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
    let start = index
    let count = chunk.count
    while index < count, chunk[index] != 0x22 {
      if chunk[index] == 0x0A { line += 1 }
      index += 1
    }
    if index > start { row.append(UnsafeBufferPointer(rebasing: chunk[start..<index])) }
    if index < count {
      state = .quoteInQuoted
      index += 1
    }
  }

  private mutating func close<Failure>(
    _ byte: UInt8, _ index: inout Int, _ body: (inout TableRow) throws(Failure) -> Void
  ) throws(Failure) {
    index += 1
    if byte == delimiter {
      row.close()
      state = .fieldStart
      return
    }
    skipsLineFeed = byte == 0x0D
    line += 1
    try endRow(body)
  }

  private mutating func endRow<Failure>(
    _ body: (inout TableRow) throws(Failure) -> Void
  ) throws(Failure) {
    defer {
      row.clear(line: line)
      state = .fieldStart
    }
    let isBlank = row.ends.isEmpty && row.bytes.isEmpty && !row.hasQuotes && row.problem == nil
    if isBlank { return }
    row.close()
    if row.line == 1, row.isSeparatorLine { return }
    row.validate()
    try body(&row)
  }
}

extension TableRow {
  /// Whether this is the line `sep=;` by which spreadsheets name the delimiter: none of the rows.
  fileprivate var isSeparatorLine: Bool {
    count == 2 && !hasQuotes && isEmpty(at: 1) && text(at: 0).lowercased() == "sep="
  }
}

extension CSVReader {
  /// What usually stands between the values of a row.
  package static let delimiters: [UInt8] = [
    UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|"),
  ]

  /// Which delimiter a table uses, told from its first bytes: the one that cuts the most rows into
  /// the same number of fields, and more than one.
  ///
  /// A first line `sep=;` says it outright.
  package static func delimiter(of head: [UInt8]) -> UInt8 {
    if let named = namedDelimiter(in: head) { return named }
    var best = (delimiter: UInt8(ascii: ","), score: 0.0)
    for candidate in delimiters {
      var counts: [Int] = []
      var reader = CSVReader(delimiter: candidate)
      head.withUnsafeBufferPointer { bytes in
        reader.read(bytes) { row in if counts.count < 50 { counts.append(row.count) } }
        // The last row of a head is cut off somewhere; it counts only if it is the only one.
        if counts.isEmpty { reader.finish { row in counts.append(row.count) } }
      }
      guard let width = counts.first, width > 1 else { continue }
      let share = Double(counts.count { $0 == width }) / Double(counts.count)
      let score = share * 1000 + Double(min(width, 500))
      if score > best.score { best = (candidate, score) }
    }
    return best.delimiter
  }
}

extension CSVReader {
  private static func namedDelimiter(in head: [UInt8]) -> UInt8? {
    var text = head[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.count == 5, let delimiter = line.last, delimiter != 0x22,
      String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    return delimiter
  }
}

/// Writes rows of comma-separated values (RFC 4180, lines end with CR LF).
package enum CSVWriter {
  package static func append(_ fields: some Sequence<String>, to bytes: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(field: field, to: &bytes)
    }
    bytes += [0x0D, 0x0A]
  }

  private static func append(field: String, to bytes: inout [UInt8]) {
    let utf8 = field.utf8
    let needsQuotes =
      utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
      || utf8.first == 0x20 || utf8.last == 0x20 || utf8.starts(with: [0xEF, 0xBB, 0xBF])
    guard needsQuotes else {
      bytes += utf8
      return
    }
    bytes.append(0x22)
    for byte in utf8 {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
