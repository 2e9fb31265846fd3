// A terminal small enough to read: what a program sends becomes a screen of characters. It knows what
// curses sends for xterm-256color, and records what it does not know.

internal import CPlatform

/// The screen that a program's bytes make.
package struct ScreenEmulator {
  package private(set) var columns: Int
  package private(set) var rows: Int
  package private(set) var cursorColumn = 0
  package private(set) var cursorRow = 0
  package private(set) var isCursorVisible = true
  package private(set) var isAlternate = false
  /// Private modes that are on (2004, 1006, …).
  package private(set) var modes: Set<Int> = []
  /// Texts put on the clipboard, in base64.
  package private(set) var clipboard: [String] = []
  package private(set) var bells = 0
  /// What a terminal would answer to what it was asked, since the last time this was taken.
  package private(set) var answers = ""
  /// Sequences that this emulator does not know, for a test to be warned by.
  package private(set) var unknown: [String] = []
  /// Control and format characters that reached the terminal raw, other than those that move the cursor.
  package private(set) var strayControls: [UInt32] = []

  var cells: [[String]]
  var savedCells: [[String]] = []
  private var parser = SequenceReader()
  private var lastPrinted = " "
  private var savedCursor = (column: 0, row: 0)
  private var scrollTop = 0
  private var scrollBottom: Int
  private var pendingWrap = false

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    scrollBottom = rows - 1
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  package mutating func takeAnswers() -> String {
    defer { answers = "" }
    return answers
  }

  package mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    savedCells = []
    scrollTop = 0
    scrollBottom = rows - 1
    cursorColumn = min(cursorColumn, columns - 1)
    cursorRow = min(cursorRow, rows - 1)
  }

  /// A row cell by cell; the right half of a wide character is empty.
  package func cells(row: Int) -> [String] { cells[row] }

  /// A row without blanks at its end.
  package func line(_ row: Int) -> String {
    var text = cells[row].joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  package var text: String { (0..<rows).map(line).joined(separator: "\n") }

  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if let item = parser.take(byte) { apply(item) }
    }
  }

  // MARK: Items

  private mutating func apply(_ item: SequenceReader.Item) {
    switch item {
    case .scalar(let scalar): print(scalar)
    case .control(let byte): control(byte)
    case .escape(let final): escape(final)
    case .csi(let prefix, let numbers, let final): csi(prefix, numbers, final)
    case .osc(let text):
      if text == "11;?" { answers += "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\" }
      if text.hasPrefix("52;c;") { clipboard.append(String(text.dropFirst(5))) }
    case .other(let text): unknown.append(text)
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    let category = scalar.properties.generalCategory
    if category == .format || category == .control { strayControls.append(scalar.value) }
    let width = Int(platform_wcwidth(scalar.value))
    if width <= 0 {
      let column = pendingWrap ? cursorColumn : max(0, cursorColumn - 1)
      let base = cells[cursorRow][column].isEmpty && column > 0 ? column - 1 : column
      cells[cursorRow][base].unicodeScalars.append(scalar)
      return
    }
    if pendingWrap || cursorColumn + width > columns {
      pendingWrap = false
      cursorColumn = 0
      lineFeed()
    }
    lastPrinted = String(Character(scalar))
    cells[cursorRow][cursorColumn] = lastPrinted
    if width == 2, cursorColumn + 1 < columns { cells[cursorRow][cursorColumn + 1] = "" }
    cursorColumn += width
    if cursorColumn >= columns {
      cursorColumn = columns - 1
      pendingWrap = true
    }
  }

  private mutating func control(_ byte: UInt8) {
    pendingWrap = false
    switch byte {
    case 0x07: bells += 1
    case 0x08: cursorColumn = max(0, cursorColumn - 1)
    case 0x09: cursorColumn = min(columns - 1, (cursorColumn / 8 + 1) * 8)
    case 0x0A: lineFeed()
    case 0x0D: cursorColumn = 0
    case 0x0E, 0x0F: break
    default: strayControls.append(UInt32(byte))
    }
  }

  private mutating func lineFeed() {
    if cursorRow == scrollBottom {
      scroll(up: 1)
    } else {
      cursorRow = min(rows - 1, cursorRow + 1)
    }
  }

  private mutating func scroll(up count: Int) {
    let blank = Array(repeating: " ", count: columns)
    for _ in 0..<abs(count) {
      if count > 0 {
        cells.remove(at: scrollTop)
        cells.insert(blank, at: scrollBottom)
      } else {
        cells.remove(at: scrollBottom)
        cells.insert(blank, at: scrollTop)
      }
    }
  }

  private mutating func escape(_ final: UInt8) {
    switch final {
    case 0x37: savedCursor = (cursorColumn, cursorRow)
    case 0x38: (cursorColumn, cursorRow) = savedCursor
    case 0x4D:
      if cursorRow == scrollTop { scroll(up: -1) } else { cursorRow = max(0, cursorRow - 1) }
    case 0x3D, 0x3E, 0x5C: break
    default: unknown.append("ESC \(Character(Unicode.Scalar(final)))")
    }
  }

  private mutating func csi(_ prefix: String, _ numbers: [Int], _ final: UInt8) {
    let letter = Character(Unicode.Scalar(final))
    if prefix == "?", letter == "h" || letter == "l" { return setModes(numbers, letter == "h") }
    guard prefix.isEmpty else {
      if letter != "u", letter != "c" { unknown.append("CSI \(prefix)\(numbers)\(letter)") }
      return
    }
    let first = max(1, numbers.first ?? 1)
    pendingWrap = false
    switch letter {
    case "m", "t", "n", "h", "l": break
    case "c": answers += "\u{1B}[?62;22c"
    case "A": cursorRow = max(0, cursorRow - first)
    case "B": cursorRow = min(rows - 1, cursorRow + first)
    case "C": cursorColumn = min(columns - 1, cursorColumn + first)
    case "D": cursorColumn = max(0, cursorColumn - first)
    case "G": cursorColumn = min(columns - 1, first - 1)
    case "d": cursorRow = min(rows - 1, first - 1)
    case "H", "f":
      cursorRow = min(rows - 1, first - 1)
      cursorColumn = min(columns - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "b": for _ in 0..<first { for scalar in lastPrinted.unicodeScalars { print(scalar) } }
    case "r":
      scrollTop = first - 1
      scrollBottom = min(rows, numbers.count > 1 && numbers[1] > 0 ? numbers[1] : rows) - 1
      (cursorColumn, cursorRow) = (0, 0)
    case "S": scroll(up: first)
    case "T": scroll(up: -first)
    default: edit(letter, first: first, mode: numbers.first ?? 0)
    }
  }

  private mutating func edit(_ letter: Character, first: Int, mode: Int) {
    switch letter {
    case "J": eraseScreen(mode)
    case "K": eraseLine(mode)
    case "X": for column in cursorColumn..<min(columns, cursorColumn + first) { clear(column) }
    case "P":
      let count = min(first, columns - cursorColumn)
      cells[cursorRow].removeSubrange(cursorColumn..<cursorColumn + count)
      cells[cursorRow] += Array(repeating: " ", count: count)
    case "@":
      let count = min(first, columns - cursorColumn)
      cells[cursorRow].insert(contentsOf: Array(repeating: " ", count: count), at: cursorColumn)
      cells[cursorRow].removeLast(count)
    case "L", "M":
      let (top, bottom) = (scrollTop, scrollBottom)
      scrollTop = cursorRow
      scroll(up: letter == "M" ? first : -first)
      (scrollTop, scrollBottom) = (top, bottom)
    default: unknown.append("CSI \(letter)")
    }
  }

  private mutating func clear(_ column: Int) { cells[cursorRow][column] = " " }

  private mutating func eraseLine(_ mode: Int) {
    let range = mode == 0 ? cursorColumn..<columns : mode == 1 ? 0..<cursorColumn + 1 : 0..<columns
    for column in range { clear(column) }
  }

  private mutating func eraseScreen(_ mode: Int) {
    let blank = Array(repeating: " ", count: columns)
    switch mode {
    case 0:
      eraseLine(0)
      for row in cursorRow + 1..<max(cursorRow + 1, rows) { cells[row] = blank }
    case 1:
      eraseLine(1)
      for row in 0..<cursorRow { cells[row] = blank }
    default: for row in 0..<rows { cells[row] = blank }
    }
  }

  private mutating func setModes(_ numbers: [Int], _ isOn: Bool) {
    for number in numbers {
      if isOn { modes.insert(number) } else { modes.remove(number) }
      switch number {
      case 25: isCursorVisible = isOn
      case 1049 where isOn != isAlternate:
        isAlternate = isOn
        if isOn {
          savedCells = cells
          cells = Self.blank(columns, rows)
        } else if savedCells.count == rows {
          cells = savedCells
        }
      default: break
      }
    }
  }
}
