// Text being edited: lines of grapheme clusters, a cursor between two of them, undo
// and redo. A value that knows no key and no screen.

/// The text of a text input, one line or many.
package struct EditBuffer: Sendable {
  package struct Position: Hashable, Comparable, Sendable {
    package var line: Int
    /// In grapheme clusters.
    package var offset: Int

    package init(line: Int, offset: Int) {
      self.line = line
      self.offset = offset
    }

    package static func < (left: Position, right: Position) -> Bool {
      (left.line, left.offset) < (right.line, right.offset)
    }
  }

  /// Undo steps kept.
  ///
  /// A step is one run of typing, one paste, one deletion.
  static let undoStepsMax = 1000

  private struct Edit: Sendable {
    var start: Position
    var removed: String
    var inserted: String
    var cursorBefore: Position
    /// Whether more typing may join this step.
    var isOpen: Bool
  }

  /// What the last change of the text did, for who keeps something of each line.
  package enum Change: Hashable, Sendable {
    /// In one line: where, how many clusters went, and how many came.
    case line(Int, from: Int, removed: Int, inserted: Int)
    case all
  }

  package private(set) var lines: [EditLine]
  /// Counts up with each change of the text.
  package private(set) var revision = 0
  package private(set) var lastChange = Change.all
  package private(set) var cursor = Position(line: 0, offset: 0)
  package let isMultiline: Bool
  private var undone: [Edit] = []
  private var done: [Edit] = []

  /// A buffer with the cursor at the text's end (of its first line, if there are many).
  package init(_ text: String = "", isMultiline: Bool = false) {
    self.isMultiline = isMultiline
    lines = Self.split(text, isMultiline: isMultiline)
    cursor = Position(line: 0, offset: isMultiline ? 0 : lines[0].count)
  }

  /// One line takes line ends as blanks, so that pasting a column of a table works.
  private static func split(_ text: String, isMultiline: Bool) -> [EditLine] {
    if isMultiline { return EditLine.lines(of: text) }
    let isOneLine = text.utf8.allSatisfy { (0x20..<0x80).contains($0) }
    return [EditLine(isOneLine ? text : String(text.map { $0.isNewline ? " " : $0 }))]
  }

  private static func joined(_ lines: [EditLine]) -> String {
    guard lines.count > 1 else { return lines[0].text }
    var text = ""
    text.reserveCapacity(lines.reduce(lines.count) { $0 + $1.text.utf8.count })
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\n" }
      text += line.text
    }
    return text
  }

  package var text: String { Self.joined(lines) }

  package var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }
  package var end: Position {
    Position(line: lines.count - 1, offset: lines[lines.count - 1].count)
  }
  package var canUndo: Bool { !done.isEmpty }
  package var canRedo: Bool { !undone.isEmpty }

  // MARK: Moving

  package mutating func move(to position: Position) {
    let line = min(max(0, position.line), lines.count - 1)
    cursor = Position(line: line, offset: min(max(0, position.offset), lines[line].count))
    closeStep()
  }

  package var positionBefore: Position {
    if cursor.offset > 0 { return Position(line: cursor.line, offset: cursor.offset - 1) }
    guard cursor.line > 0 else { return cursor }
    return Position(line: cursor.line - 1, offset: lines[cursor.line - 1].count)
  }

  package var positionAfter: Position {
    if cursor.offset < lines[cursor.line].count {
      return Position(line: cursor.line, offset: cursor.offset + 1)
    }
    guard cursor.line + 1 < lines.count else { return cursor }
    return Position(line: cursor.line + 1, offset: 0)
  }

  /// The start of the word before the cursor.
  package var wordStart: Position {
    guard cursor.offset > 0 else { return positionBefore }
    let line = lines[cursor.line]
    var offset = cursor.offset
    while offset > 0, !Self.isWord(line[offset - 1]) { offset -= 1 }
    while offset > 0, Self.isWord(line[offset - 1]) { offset -= 1 }
    return Position(line: cursor.line, offset: offset)
  }

  /// The end of the word after the cursor.
  package var wordEnd: Position {
    let line = lines[cursor.line]
    guard cursor.offset < line.count else { return positionAfter }
    var offset = cursor.offset
    while offset < line.count, !Self.isWord(line[offset]) { offset += 1 }
    while offset < line.count, Self.isWord(line[offset]) { offset += 1 }
    return Position(line: cursor.line, offset: offset)
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  // MARK: Editing

  /// Types text at the cursor.
  ///
  /// Typing on and on is one undo step, a paste is one of its own.
  package mutating func insert(_ text: String, isTyping: Bool = true) {
    guard !text.isEmpty else { return }
    if !isTyping { closeStep() }
    replace(from: cursor, to: cursor, with: text)
    if !isTyping { closeStep() }
  }

  /// Removes what lies between the cursor and the position.
  package mutating func delete(to position: Position) {
    guard position != cursor else { return }
    closeStep()
    replace(from: min(cursor, position), to: max(cursor, position), with: "")
    closeStep()
  }

  /// Replaces everything, as one step that can be undone.
  package mutating func replaceAll(with text: String) {
    guard text != self.text else { return }
    closeStep()
    replace(from: Position(line: 0, offset: 0), to: end, with: text)
    closeStep()
  }

  private mutating func replace(from start: Position, to stop: Position, with text: String) {
    let before = cursor
    let (edit, stop) = splice(from: start, to: stop, with: text)
    cursor = stop
    undone = []
    let step = Edit(
      start: edit.start, removed: edit.removed, inserted: edit.inserted, cursorBefore: before,
      isOpen: true)
    if let last = done.last, last.isOpen, let joined = Self.join(last, step) {
      done[done.count - 1] = joined
      return
    }
    done.append(step)
    if done.count > Self.undoStepsMax { done.removeFirst() }
  }

  /// Two edits as one, when the second goes on typing where the first ended.
  private static func join(_ first: Edit, _ second: Edit) -> Edit? {
    guard first.removed.isEmpty, second.removed.isEmpty, !second.inserted.contains("\n"),
      !first.inserted.contains("\n"), first.start.line == second.start.line,
      first.start.offset + first.inserted.count == second.start.offset
    else { return nil }
    var joined = first
    joined.inserted += second.inserted
    return joined
  }

  private mutating func closeStep() {
    if !done.isEmpty { done[done.count - 1].isOpen = false }
  }

  package mutating func undo() {
    guard let edit = done.popLast() else { return }
    let stop = advance(edit.start, over: edit.inserted)
    _ = splice(from: edit.start, to: stop, with: edit.removed)
    undone.append(edit)
    cursor = edit.cursorBefore
  }

  package mutating func redo() {
    guard let edit = undone.popLast() else { return }
    let stop = advance(edit.start, over: edit.removed)
    let (_, end) = splice(from: edit.start, to: stop, with: edit.inserted)
    var closed = edit
    closed.isOpen = false
    done.append(closed)
    cursor = end
  }

  private func advance(_ start: Position, over text: String) -> Position {
    let parts = Self.split(text, isMultiline: isMultiline)
    guard parts.count > 1 else {
      return Position(line: start.line, offset: start.offset + parts[0].count)
    }
    return Position(line: start.line + parts.count - 1, offset: parts[parts.count - 1].count)
  }

  /// Replaces a range.
  ///
  /// What is put in, or what is left beside a gap, may combine with its neighbours to new grapheme
  /// clusters (a mark after its letter, flags). Then the whole lines are taken anew, so that
  /// they always hold whole clusters and the edit can be taken back.
  private mutating func splice(
    from start: Position, to stop: Position, with text: String
  ) -> (edit: (start: Position, removed: String, inserted: String), end: Position) {
    let left = start.offset > 0 ? [lines[start.line][start.offset - 1]] : []
    let right = stop.offset < lines[stop.line].count ? [lines[stop.line][stop.offset]] : []
    let pieces = Self.split(text, isMultiline: isMultiline)
    guard staysApart(left, pieces, right, text: text) else {
      return spliceLines(from: start, to: stop, with: text)
    }
    let removed = self.text(from: start, to: stop)
    let end = put(pieces, from: start, to: stop)
    return ((start, removed, Self.joined(pieces)), end)
  }

  /// Whether what is put in combines neither with its neighbours nor, if it is nothing, they with
  /// each other.
  private func staysApart(
    _ left: [Character], _ pieces: [EditLine], _ right: [Character], text: String
  ) -> Bool {
    if left.isEmpty, right.isEmpty { return true }
    // ASCII beside ASCII is the common case, and a pasted megabyte need not be looked through.
    let first = pieces.first?.first ?? right.first
    let last = pieces.last?.last ?? left.first
    let isPlainLeft = left.isEmpty || (left[0].isASCII && first?.isASCII ?? true)
    let isPlainRight = right.isEmpty || (right[0].isASCII && last?.isASCII ?? true)
    if isPlainLeft, isPlainRight { return true }
    let joined = Self.split(String(left) + text + String(right), isMultiline: isMultiline)
    return joined.flatMap { $0 } == left + pieces.flatMap { $0 } + right
  }

  private mutating func spliceLines(
    from start: Position, to stop: Position, with text: String
  ) -> (edit: (start: Position, removed: String, inserted: String), end: Position) {
    let lineStart = Position(line: start.line, offset: 0)
    let lineEnd = Position(line: stop.line, offset: lines[stop.line].count)
    let before = self.text(from: lineStart, to: start) + text
    let whole = before + self.text(from: stop, to: lineEnd)
    let removed = self.text(from: lineStart, to: lineEnd)
    let pieces = Self.split(whole, isMultiline: isMultiline)
    _ = put(pieces, from: lineStart, to: lineEnd)
    let reached = Self.split(before, isMultiline: isMultiline)
    let line = start.line + reached.count - 1
    let end = Position(line: line, offset: min(reached[reached.count - 1].count, lines[line].count))
    lastChange = .all
    return ((lineStart, removed, Self.joined(pieces)), end)
  }

  /// Puts lines of whole clusters in the place of a range; returns where they end.
  private mutating func put(
    _ pieces: [EditLine], from start: Position, to stop: Position
  ) -> Position {
    revision += 1
    let last = pieces.count - 1
    let isOneLine = last == 0
    let end = Position(
      line: start.line + last, offset: pieces[last].count + (isOneLine ? start.offset : 0))
    if isOneLine, start.line == stop.line {
      lines[start.line].replace(start.offset..<stop.offset, with: pieces[0])
      lastChange = .line(
        start.line, from: start.offset, removed: stop.offset - start.offset,
        inserted: pieces[0].count)
      return end
    }
    lastChange = .all
    var inserted = pieces
    let before = EditLine(lines[start.line].text(0..<start.offset))
    let after = EditLine(lines[stop.line].text(stop.offset..<lines[stop.line].count))
    inserted[0].replace(0..<0, with: before)
    inserted[last].replace(inserted[last].count..<inserted[last].count, with: after)
    lines.replaceSubrange(start.line...stop.line, with: inserted)
    return end
  }

  /// The text between two positions.
  package func text(from start: Position, to stop: Position) -> String {
    guard start < stop else { return "" }
    if start.line == stop.line { return lines[start.line].text(start.offset..<stop.offset) }
    if start.offset == 0, stop == end, start.line == 0 { return text }
    var parts = [lines[start.line].text(start.offset..<lines[start.line].count)]
    parts += lines[(start.line + 1)..<stop.line].map(\.text)
    parts.append(lines[stop.line].text(0..<stop.offset))
    return parts.joined(separator: "\n")
  }
}
