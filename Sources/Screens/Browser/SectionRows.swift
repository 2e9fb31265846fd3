// Where records and headings stand in a list that is grouped: each section has a heading above its
// first record. Pure.

internal import RecordStore

/// The rows of a list with sections: headings among the records.
struct SectionRows {
  /// What stands in one row of the screen.
  enum Place: Equatable {
    /// The heading of a section.
    case heading(Int)
    /// The record at a position of the list.
    case record(Int)
  }

  let sections: [ListSection]

  /// The row in which a record's position stands.
  func row(of position: Int) -> Int {
    position + first(in: sections.indices) { sections[$0].start > position }
  }

  /// What stands in a row.
  func place(at row: Int) -> Place {
    // Heading number n stands in row start + n: the last one that is not below the row.
    let next = first(in: sections.indices) { sections[$0].start + $0 > row }
    guard next > 0 else { return .record(row) }
    let section = next - 1
    return sections[section].start + section == row ? .heading(section) : .record(row - next)
  }

  /// The position of the record in a row, or of the first one below a heading.
  func position(at row: Int) -> Int {
    switch place(at: row) {
    case .record(let position): position
    case .heading(let section): sections[section].start
    }
  }

  /// The first index for which a condition holds that holds for all after it; the end if none.
  private func first(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
