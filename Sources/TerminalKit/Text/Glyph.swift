// One thing that a cell can hold. Pure, and plain bytes: a screen of them is one block of memory.

/// A base character and what combines with it: the content of one cell (or two, for a wide one).
package struct Glyph: Hashable, Sendable {
  /// More are cut: the terminal library's cells hold five scalars.
  package static let marksMax = 4

  package var base: UInt32
  /// Combining scalars, 0 where there is none.
  package var marks: SIMD4<UInt32>
  /// 1 or 2.
  package var columns: Int

  package init(base: UInt32, columns: Int = 1) {
    self.base = base
    marks = .zero
    self.columns = columns
  }

  /// Whether there was room for the mark.
  @discardableResult
  mutating func add(mark: UInt32) -> Bool {
    for index in 0..<Glyph.marksMax where marks[index] == 0 {
      marks[index] = mark
      return true
    }
    return false
  }

  func append(to text: inout String) {
    guard let scalar = Unicode.Scalar(base) else { return }
    text.unicodeScalars.append(scalar)
    for index in 0..<Glyph.marksMax where marks[index] != 0 {
      if let mark = Unicode.Scalar(marks[index]) { text.unicodeScalars.append(mark) }
    }
  }
}
