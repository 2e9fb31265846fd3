// A page of blocks under each other, of which some hold long texts: places on it are walked to by
// rows, and only what lies on the way is broken into lines. A value; pure, but that it remembers.

/// Blocks of lines, as high as they turn out to be.
package struct TextPage: Sendable {
  /// Lines, a wrapped text below them, and lines below that.
  package struct Block: Sendable {
    let head: [StyledText]
    var text: WrappedText?
    let style: Style
    let indent: String
    let tail: [StyledText]

    /// - Parameter head: At least one line.
    package init(
      _ head: [StyledText], text: WrappedText? = nil, style: Style = .text, indent: Int = 0,
      tail: [StyledText] = []
    ) {
      precondition(!head.isEmpty, "a block without a line can't be stood on")
      self.head = head
      self.text = text
      self.style = style
      self.indent = String(repeating: " ", count: indent)
      self.tail = tail
    }

    /// The head, each piece of the text, the tail.
    fileprivate var pieces: Int { 1 + textPieces + (tail.isEmpty ? 0 : 1) }
    private var textPieces: Int { text?.pieces ?? 0 }

    fileprivate mutating func rows(of piece: Int) -> Int {
      if piece == 0 { return head.count }
      return piece <= textPieces ? text?.rows(of: piece - 1).count ?? 0 : tail.count
    }

    fileprivate mutating func line(_ row: Int, of piece: Int) -> StyledText {
      if piece == 0 { return head[row] }
      guard piece <= textPieces else { return tail[row] }
      return StyledText(indent + (text?.rows(of: piece - 1)[row] ?? ""), style)
    }

    fileprivate func rowsAbout(before piece: Int) -> Int {
      guard piece > 0 else { return 0 }
      let inside = min(piece - 1, textPieces)
      let about = head.count + (text?.rowsAbout(before: inside) ?? 0)
      return piece == pieces ? about + tail.count : about
    }
  }

  /// A row, by what it belongs to.
  package struct Place: Hashable, Comparable, Sendable {
    package let block: Int
    let piece: Int
    let row: Int

    package static func < (left: Place, right: Place) -> Bool {
      (left.block, left.piece, left.row) < (right.block, right.piece, right.row)
    }
  }

  /// Texts of together more bytes, or in more pieces, are not counted row by row for the scroll bar.
  private static let countedBytesMax = 16_384
  private static let countedPiecesMax = 512

  package private(set) var blocks: [Block]

  package init(_ blocks: [Block] = []) {
    self.blocks = blocks
  }

  package var start: Place { start(of: 0) }
  /// Behind the last row.
  package var end: Place { start(of: blocks.count) }

  package func start(of block: Int) -> Place {
    Place(block: min(block, blocks.count), piece: 0, row: 0)
  }

  /// How many bytes of text were broken into rows until now: what this has cost, for tests.
  package var wrappedBytes: Int { blocks.reduce(0) { $0 + ($1.text?.wrappedBytes ?? 0) } }

  // MARK: Walking

  /// The place some rows below, at most the end.
  package mutating func place(_ rows: Int, after place: Place) -> Place {
    var (block, piece, row) = (place.block, place.piece, place.row)
    var left = rows
    while left > 0, block < blocks.count {
      let room = blocks[block].rows(of: piece) - row
      if left < room { return Place(block: block, piece: piece, row: row + left) }
      left -= room
      row = 0
      piece += 1
      if piece == blocks[block].pieces { (block, piece) = (block + 1, 0) }
    }
    return Place(block: block, piece: piece, row: row)
  }

  /// The place some rows above, at least the start.
  package mutating func place(_ rows: Int, before place: Place) -> Place {
    var (block, piece, row) = (place.block, place.piece, place.row)
    var left = rows
    while left > row {
      left -= row
      if piece > 0 {
        piece -= 1
      } else if block > 0 {
        block -= 1
        piece = blocks[block].pieces - 1
      } else {
        return start
      }
      row = blocks[block].rows(of: piece)
    }
    return Place(block: block, piece: piece, row: row - max(0, left))
  }

  /// The nearest place that is there: after the page changed, what was at a place may be gone.
  package mutating func nearest(_ place: Place) -> Place {
    guard place.block < blocks.count else { return end }
    let piece = min(place.piece, blocks[place.block].pieces - 1)
    let row = min(place.row, blocks[place.block].rows(of: piece) - 1)
    return Place(block: place.block, piece: piece, row: row)
  }

  // MARK: Reading

  /// The line at a place before the end.
  package mutating func line(at place: Place) -> StyledText {
    blocks[place.block].line(place.row, of: place.piece)
  }

  /// How many rows come before a place: exactly on a page that is soon counted, else about.
  package mutating func rows(before place: Place) -> Int {
    let bytes = blocks.reduce(0) { $0 + ($1.text?.text.utf8.count ?? 0) }
    let pieces = blocks.reduce(0) { $0 + $1.pieces }
    var rows = place.row
    if bytes > Self.countedBytesMax || pieces > Self.countedPiecesMax {
      for block in blocks[..<place.block] { rows += block.rowsAbout(before: block.pieces) }
      if place.block < blocks.count { rows += blocks[place.block].rowsAbout(before: place.piece) }
      return rows
    }
    for block in blocks.indices where block <= place.block {
      let pieces = block < place.block ? blocks[block].pieces : place.piece
      for piece in 0..<pieces { rows += blocks[block].rows(of: piece) }
    }
    return rows
  }
}
