import Foundation
import RecordStore
import TestKit
import Testing
import ViewModels

/// Rows keep their identity through a change, whatever the change.
struct RowPositionsTests {
  @Test func `a row behind a removed one moves up, one behind an inserted one moves down`() {
    var diff = ListDiff()
    diff.removed = [1]
    diff.inserted = [0]
    let positions = RowPositions(diff)
    #expect(positions.position(of: 0) == 1)
    #expect(positions.position(of: 1) == nil)
    #expect(positions.place(of: 1) == 2)
    #expect(positions.position(of: 2) == 2)
  }

  @Test func `random changes agree with a list that they are made in`() {
    let seed = SeededGenerator.seed(
      standard: 20_261_121, environment: ProcessInfo.processInfo.environment)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let old = Array(0..<Int.random(in: 0...12, using: &random))
      let shuffled = old.shuffled(using: &random)
      let removed = shuffled.prefix(Int.random(in: 0...old.count, using: &random) / 2)
      let moving = shuffled.dropFirst(removed.count).prefix(Int.random(in: 0...3, using: &random))
      // Taken out; then put in at random places, moved rows and new ones (negative numbers).
      var rows = old.filter { !removed.contains($0) && !moving.contains($0) }
      let new = (0..<Int.random(in: 0...3, using: &random)).map { -1 - $0 }
      for row in Array(moving) + new {
        rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
      }
      var diff = ListDiff()
      diff.removed = removed.sorted(by: >)
      diff.inserted = rows.indices.filter { rows[$0] < 0 }
      diff.moved = moving.compactMap { row in
        rows.firstIndex(of: row).map { ListDiff.Move(from: row, to: $0) }
      }
      let positions = RowPositions(diff)
      for row in old {
        #expect(positions.position(of: row) == rows.firstIndex(of: row), "seed \(seed)")
      }
    }
  }
}
