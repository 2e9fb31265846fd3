// The rows around the visible ones, and the cursor. Rows are read ahead in both directions, so that
// scrolling finds them here; while a far jump is read, the rows are missing and shown as such.

internal import RecordStore
package import Records
internal import UILoop

extension ListViewModel {
  /// Tells which rows the screen shows; they and some before and after are read.
  package func show(_ range: Range<Int>) {
    let first = max(0, range.lowerBound)
    let bounded = first..<max(first, min(range.upperBound, first + Self.visibleMax))
    guard bounded != visible else { return }
    visible = bounded
    readIfNeeded()
  }

  package func moveCursor(to position: Int) {
    guard state.count > 0 else { return }
    state.cursor = max(0, min(position, state.count - 1))
    state.cursorID = state.rows[state.cursor]?.id
    if state.cursorID == nil { readIfNeeded() }
  }

  package func moveCursor(by rows: Int) {
    let (position, isOver) = state.cursor.addingReportingOverflow(rows)
    moveCursor(to: isOver ? (rows > 0 ? .max : 0) : position)
  }

  /// Moves the cursor to a record; answers whether the list has it.
  @discardableResult
  package func reveal(_ id: RecordID) async -> Bool {
    guard let list else { return false }
    do {
      guard let position = try await list.index(of: id), list === self.list else { return false }
      state.cursor = max(0, min(position, state.count - 1))
      state.cursorID = id
      await read(force: false)
      return true
    } catch {
      state.notice = .failed(Failure(error))
      return false
    }
  }

  /// The rows to have: the visible ones and the cursor's, and two screens on either side.
  private var wanted: Range<Int> {
    let height = max(visible.count, 20)
    // Far from the cursor the screen is about to follow it.
    let near = visible.lowerBound - height..<visible.upperBound + height
    let centre = near.contains(state.cursor) ? visible : state.cursor..<state.cursor + height
    let ahead = min(2 * height, (Self.rowsMax - centre.count) / 2)
    let first = max(0, centre.lowerBound - ahead)
    return first..<max(first, min(state.count, centre.upperBound + ahead))
  }

  /// The rows of the screen alone.
  private var onScreen: Range<Int> {
    let first = min(visible.lowerBound, state.count)
    let isNear = visible.contains(state.cursor) && visible.count > 0
    return isNear ? first..<max(first, min(state.count, visible.upperBound)) : wanted
  }

  /// The rows that must be there now: without them the screen has gaps.
  private var needed: Range<Int> {
    let margin = max(visible.count, 20) / 2
    let first = max(0, visible.lowerBound - margin)
    return first..<max(first, min(state.count, visible.upperBound + margin))
  }

  private var hasGaps: Bool {
    needed.contains { state.rows[$0] == nil }
      || (state.count > 0 && state.rows[state.cursor] == nil)
  }

  func readIfNeeded() {
    guard hasGaps, !isReading, list != nil else { return }
    errands.run { [weak self] in await self?.read(force: false) }
  }

  /// Reads the wanted rows until there is nothing left to read; the newest read counts.
  func read(force: Bool) async {
    var isForced = force
    var rounds = 0
    while let list, isForced || (hasGaps && rounds < 4) {
      isForced = false
      rounds += 1
      let ticket = reads.ticket()
      // The screen first; what is read ahead follows.
      let range = state.rows.isEmpty ? onScreen : wanted
      isReading = true
      do {
        let page = try await list.rows(range)
        guard reads.isCurrent(ticket), list === self.list else { return }
        isReading = false
        take(page)
      } catch {
        guard reads.isCurrent(ticket) else { return }
        isReading = false
        state.notice = .failed(Failure(error))
        return
      }
    }
  }

  private func take(_ page: ListPage) {
    // A page of a later state than the one shown: its diff is on its way, and reads again.
    guard page.version == version || state.rows.isEmpty else { return }
    var rows: [Int: ListRow] = [:]
    for (offset, row) in page.rows.enumerated() {
      if let row { rows[page.start + offset] = row }
    }
    state.rows = rows
    if let row = rows[state.cursor] { state.cursorID = row.id }
  }
}
