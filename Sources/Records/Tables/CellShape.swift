// What the cells of one column have in common, one byte at a time: the evidence for the column's type.

/// What one cell could be.
struct CellShape: OptionSet {
  let rawValue: UInt8

  static let integer = CellShape(rawValue: 1)
  static let number = CellShape(rawValue: 2)
  /// A number that a double does not hold digit by digit.
  static let decimal = CellShape(rawValue: 4)
  static let boolean = CellShape(rawValue: 8)
  static let date = CellShape(rawValue: 16)
  static let dateTime = CellShape(rawValue: 32)

  static let all: CellShape = [.integer, .number, .decimal, .boolean, .date, .dateTime]
}

/// The evidence of one column.
struct ColumnEvidence {
  /// Cells that are looked at for ``isWorthSearching``: the first ones tell enough.
  private static let sampleMax = 4096
  /// Longer cells are long text, and so are those with several lines.
  static let textLengthMax = 200

  /// What all cells so far could be.
  private(set) var shapes = CellShape.all
  private(set) var hasTime = false
  private(set) var isLong = false
  private(set) var isEmpty = true
  /// Whether cells say something in words: a blank, or a letter beyond ASCII.
  private(set) var hasWords = false
  private var sampled = 0
  private var distinct: Set<Int> = []
  /// JSON's own word for the values.
  var jsonKinds: Set<JSONKind> = []

  enum JSONKind { case string, integer, number, boolean, tags, location, other }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.isEmpty { return }
    isEmpty = false
    if !isLong { isLong = bytes.count > Self.textLengthMax || bytes.contains(0x0A) }
    if !hasWords, sampled < Self.sampleMax { sample(bytes) }
    if shapes.isEmpty { return }
    if !shapes.isDisjoint(with: [.integer, .number, .decimal]) {
      shapes.formIntersection(Self.numberShapes(bytes).union([.boolean, .date, .dateTime]))
    }
    if shapes.contains(.boolean), !Self.isBoolean(bytes) { shapes.remove(.boolean) }
    if !shapes.isDisjoint(with: [.date, .dateTime]) { addDate(bytes) }
  }

  private mutating func sample(_ bytes: UnsafeBufferPointer<UInt8>) {
    sampled += 1
    if bytes.contains(where: { $0 == 0x20 || $0 >= 0x80 }) {
      hasWords = true
      distinct = []
    } else {
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      distinct.insert(hasher.finalize())
    }
  }

  /// Whether a search should look into the column.
  ///
  /// Words are what people search for. Codes that come again and again (`JP`, `Africa/Porto-Novo`)
  /// only drown what was meant; a filter finds those. Codes of which most are different (a postal
  /// code, a serial number) are searched.
  var isWorthSearching: Bool { hasWords || isLong || distinct.count * 2 >= sampled }

  private mutating func addDate(_ bytes: UnsafeBufferPointer<UInt8>) {
    let looksLikeDate = bytes.count >= 10 && bytes.count <= 35 && bytes[4] == 45 && bytes[7] == 45
    guard looksLikeDate else {
      shapes.subtract([.date, .dateTime])
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if CalendarDate(text: text) != nil { return }
    shapes.remove(.date)
    if bytes.count < 16 || TimestampText.read(text, in: .noon) == nil {
      shapes.remove(.dateTime)
    } else {
      hasTime = true
    }
  }

  private static func isBoolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.count <= 5 else { return false }
    let word = String(decoding: bytes, as: UTF8.self).lowercased()
    return ["true", "false", "yes", "no"].contains(word)
  }

  /// What a cell of digits could be: nothing if it would not come back as it is.
  ///
  /// Leading zeros and plus signs are part of a code (`007`, `+81`), not of a number.
  private static func numberShapes(_ bytes: UnsafeBufferPointer<UInt8>) -> CellShape {
    var index = bytes.first == 45 ? 1 : 0
    let start = index
    while index < bytes.count, bytes[index] &- 48 < 10 { index += 1 }
    let whole = index - start
    guard whole > 0, whole == 1 || bytes[start] != 48 else { return [] }
    if index == bytes.count {
      if start == 1, bytes[1] == 48, whole == 1 { return [] }
      if NumberBytes.integer(bytes) != nil {
        return whole <= 15 ? [.integer, .number, .decimal] : [.integer, .decimal]
      }
      // More digits than a number of things has: a code.
      return []
    }
    guard bytes[index] == 46 else { return [] }
    let fraction = bytes.count - index - 1
    index += 1
    while index < bytes.count, bytes[index] &- 48 < 10 { index += 1 }
    guard fraction > 0, index == bytes.count else { return [] }
    return whole + fraction <= 15 ? [.number, .decimal] : [.decimal]
  }
}

extension LocalTime {
  /// For telling whether a text is an instant, whichever.
  fileprivate static let noon: LocalTime = {
    guard let day = CalendarDate(dayNumber: 0) else { preconditionFailure("1970 is a year") }
    return .utc(today: day)
  }()
}
