// Each flow with each of its statements, and each of its file operations, failing in turn. After a
// failure the library opens, is as it was before or as it should be after, and the flow succeeds when
// it is tried again.

import CFileFaults
import Foundation
import RecordStore
import Records
import TestKit
import Testing

@Suite(.serialized)
struct FlowFaultTests {
  @Test func `there are twenty flows`() {
    #expect(Flow.all.count >= 20)
    #expect(Set(Flow.all.map(\.name)).count == Flow.all.count)
  }

  @Test(arguments: Flow.all.filter(\.hasStatements))
  func `whichever statement fails, nothing is half done, and the next try succeeds`(
    flow: Flow
  ) async throws {
    var fixture = try await Fixture(.file)
    let desk = try await flow.prepare(fixture)
    let before = try await Self.picture(fixture.library)
    var statement = 1
    while true {
      fixture.world.faults.arm(failingAt: statement)
      do {
        try await flow.act(fixture.library, desk)
        break
      } catch is Faults.Injected {
        fixture.world.faults.arm(failingAt: nil)
        #expect(try await Self.picture(fixture.library) == before, "statement \(statement)")
        if statement.isMultiple(of: 4) { try await fixture.reopen() }
      }
      statement += 1
    }
    fixture.world.faults.arm(failingAt: nil)
    #expect(statement > 1, "it has no statement that could fail")
    let after = try await Self.picture(fixture.library)
    #expect(after != before)
    try await fixture.reopen()
    #expect(try await Self.picture(fixture.library) == after)
    #expect(try await fixture.library.examine().findings.isEmpty)
    try await fixture.library.close()
  }

  @Test(arguments: Flow.all)
  func `whichever file operation fails, the library opens, and the next try succeeds`(
    flow: Flow
  ) async throws {
    // What it comes to where nothing fails, and how many operations that takes.
    let (after, operations) = try await Self.undisturbed(flow)
    #expect(operations > 0)
    let isLong = ProcessInfo.processInfo.environment["SKYROS_LONG"] == "1"
    // The first ones one by one; where there are many, they are pages of one file.
    let numbers = (1...operations).filter { isLong || $0 <= 4 || $0.isMultiple(of: 13) }
    for number in numbers {
      var fixture = try await Fixture(.file)
      let desk = try await flow.prepare(fixture)
      let before = try await Self.picture(fixture.library)
      var failure: (any Error)?
      file_faults_arm(fixture.folder.path, Int32(number))
      do { try await flow.act(fixture.library, desk) } catch { failure = error }
      _ = file_faults_disarm()
      try await fixture.reopen()
      let found = try await Self.picture(fixture.library)
      // An operation may fail that nothing depends on: a lock's words, a folder that is there.
      if failure == nil {
        #expect(found == after, "operation \(number) failed unnoticed")
      } else {
        #expect(
          found == before || found == after, "operation \(number): \(failure.debugDescription)")
      }
      try await flow.act(fixture.library, desk)
      #expect(try await Self.picture(fixture.library) == after, "operation \(number), tried again")
      #expect(try await fixture.library.examine().findings.isEmpty, "operation \(number)")
      try await fixture.library.close()
    }
  }

  private static func undisturbed(_ flow: Flow) async throws -> (String, Int) {
    var fixture = try await Fixture(.file)
    let desk = try await flow.prepare(fixture)
    file_faults_arm(fixture.folder.path, 0)
    try await flow.act(fixture.library, desk)
    let operations = Int(file_faults_disarm())
    try await fixture.reopen()
    let after = try await picture(fixture.library)
    try await fixture.library.close()
    return (after, operations)
  }

  /// All that a person could see of a library, but for ids and times that differ from run to run.
  private static func picture(_ library: Library) async throws -> String {
    var lines: [String] = []
    for type in library.model.types {
      lines.append("\(type.id) \(type.visibleFields.map(\.name)) \(type.hidden)")
      let count = try await library.counts()[type.id] ?? 0
      let query = ListQuery(type: type.id)
      for row in try await library.page(query, offset: 0, limit: max(1, count)) {
        let snapshot = try await library.snapshot(type.id, row.id)
        let fields = (snapshot?.fields ?? [:]).sorted { $0.key < $1.key }
          .map { "\($0.key)=\(shown($0.value))" }
        let conflicts = snapshot?.state.conflicts(in: type).count ?? 0
        lines.append("\(fields) \(conflicts) \(snapshot?.isPending ?? false)")
      }
    }
    lines.append("trash \(try await library.trash(limit: 10, offset: 0).map(\.title).sorted())")
    let history = try await library.history(limit: 100)
    lines.append(
      "history \(history.filter { $0.origin != .repair }.map { "\($0.origin) \($0.recordCount)" })")
    lines.append("backlog \(try await library.syncBacklog())")
    lines.append("sync \(String(describing: try await library.syncSettings()))")
    lines.append("guards \(try await library.examine().findings)")
    return lines.sorted().joined(separator: "\n")
  }

  /// References by what they are, not by the id, which is another one in every run.
  private static func shown(_ value: Value) -> String {
    switch value {
    case .reference: "a reference"
    case .references(let ids): "\(ids.count) references"
    default: "\(value)"
    }
  }
}
