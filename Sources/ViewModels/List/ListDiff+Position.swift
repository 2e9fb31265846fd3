// Where a row went when a list changed. Pure.

internal import RecordStore

extension ListDiff {
  /// The new position of the row that was at `old`; nothing if it left the list.
  func position(of old: Int) -> Int? {
    if let move = moved.first(where: { $0.from == old }) { return move.to }
    if removed.contains(old) { return nil }
    return settled(old)
  }

  /// Where a cursor goes whose row left: to the row that took its place.
  func place(of old: Int) -> Int { position(of: old) ?? settled(old) }

  private func settled(_ old: Int) -> Int {
    let left = removed.count { $0 < old } + moved.count { $0.from < old }
    var position = old - left
    for place in (inserted + moved.map(\.to)).sorted() where place <= position { position += 1 }
    return position
  }
}
