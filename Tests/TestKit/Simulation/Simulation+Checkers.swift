// The checkers: one for each invariant, most of them after quiet, some after each step.

internal import RecordStore
internal import Records
internal import Sync

extension Simulation {
  // MARK: After each step

  /// What failed left nothing behind, and says why in a way that helps.
  mutating func judge(
    _ failure: any Error, of step: Step, newestBefore before: Int64
  ) async throws {
    let newest = try await Ledger.newestNumber(of: world.libraries[step.device])
    if step.deed.isSave, newest != before {
      findings.append(
        Finding(.failuresLeaveNothing, "step \(step) failed and left a transaction"))
    }
    let isReasoned: Bool =
      switch failure {
      case StoreError.sqlite, StoreError.damaged, StoreError.file: false
      case is StoreError, is ImportError: true
      case is Faults.Injected: step.mishap != nil
      default: false
      }
    if !isReasoned {
      findings.append(Finding(.refusalsAreReasoned, "step \(step): \(failure)"))
    }
  }

  /// Never "succeeded" while something is pending.
  mutating func judgeStatus(of device: Int) async throws {
    let library = world.libraries[device]
    let status = try await SyncStatus.read(library, now: world.clock.now(of: device))
    guard status.summary == .succeeded else { return }
    let backlog = try await library.syncBacklog()
    if backlog.pending > 0 {
      findings.append(
        Finding(.statusIsHonest, "device \(device) says succeeded, \(backlog.pending) pending"))
    }
  }

  mutating func judgeDrafts(_ found: [Draft], of device: Int) {
    let open = drafts[device]
    for draft in found where open[draft.id] == nil {
      findings.append(
        Finding(.draftsAreUntouched, "device \(device) offers a draft that was ended"))
    }
    for (id, draft) in open.sorted(by: { $0.key.id < $1.key.id }) {
      guard let kept = found.first(where: { $0.id == id }) else {
        findings.append(Finding(.draftsAreUntouched, "device \(device) lost an open draft"))
        continue
      }
      if kept.changes != draft.changes || kept.base != draft.base || kept.record != draft.record {
        findings.append(Finding(.draftsAreUntouched, "device \(device) changed an open draft"))
      }
    }
  }

  // MARK: After quiet

  mutating func judge() async throws {
    try await quieten()
    var copies: [[RecordReference: Snapshot]] = []
    for device in world.libraries.indices { copies.append(try await contents(of: device)) }
    judgeEquality(copies)
    judgeModels()
    judgeWrites(copies)
    judgeCounters(copies)
    judgeCancelled(copies)
    for device in world.libraries.indices {
      try await judgeQuiet(of: device, copies[device])
      try await judgeEventLog(of: device)
      let report = try await world.libraries[device].examine()
      for finding in report.findings {
        findings.append(Finding(.librariesAreSound, "library \(device): \(finding)"))
      }
      try await reopen(device)
    }
    judgeDevices()
    for record in ledger.records.sorted(by: { $0.id < $1.id }) {
      if let state = copies[0][record]?.state { trace.add("\(record.id) \(state.vector)") }
    }
  }

  private func contents(of device: Int) async throws -> [RecordReference: Snapshot] {
    let library = world.libraries[device]
    var result: [RecordReference: Snapshot] = [:]
    for (type, records) in Dictionary(grouping: ledger.records, by: \.type) {
      guard library.model.type(type) != nil else { continue }
      for (id, snapshot) in try await library.snapshots(type, records.map(\.id)) {
        result[RecordReference(type: type, id: id)] = snapshot
      }
    }
    return result
  }

  private mutating func judgeEquality(_ copies: [[RecordReference: Snapshot]]) {
    for device in copies.indices.dropFirst() {
      let type = world.libraries[0].model
      for record in ledger.records.sorted(by: { $0.id < $1.id }) {
        let first = copies[0][record]
        let other = copies[device][record]
        // A purge takes a record away where it was said; elsewhere it rests in the trash.
        let isGone = [first, other].allSatisfy { $0?.isDeleted ?? true }
        if ledger.purged.contains(record), isGone { continue }
        guard let first, let other, let type = type.type(record.type) else {
          if first != nil || other != nil {
            findings.append(
              Finding(
                .librariesAreEqual,
                "\(record.type) \(record.id) is in library \(first == nil ? device : 0) only"))
          }
          continue
        }
        if first.state.travelling(in: type) != other.state.travelling(in: type)
          || first.state.conflicts(in: type) != other.state.conflicts(in: type)
          || first.fields != other.fields
        {
          findings.append(
            Finding(
              .librariesAreEqual,
              "\(record.type) \(record.id) differs: 0: \(first.fields) \(first.state), "
                + "\(device): \(other.fields) \(other.state)"))
        }
      }
    }
  }

  private mutating func judgeModels() {
    let first = SharedModel(world.libraries[0].model)
    for device in world.libraries.indices.dropFirst() {
      let other = SharedModel(world.libraries[device].model)
      if other != first {
        findings.append(
          Finding(.modelsAreEqual, "model \(device): \(other.text), model 0: \(first.text)"))
      }
    }
  }

  /// What the ledger says must stand, against what stands in all libraries together.
  private mutating func judgeWrites(_ copies: [[RecordReference: Snapshot]]) {
    for record in ledger.records.subtracting(ledger.purged).sorted(by: { $0.id < $1.id }) {
      let states = copies.compactMap { $0[record]?.state }
      guard let first = states.first else {
        findings.append(Finding(.savesStand, "\(record.type) \(record.id) is nowhere"))
        continue
      }
      let state = states.dropFirst().reduce(first) { $0.joined(with: $1) }
      let standing = ledger.survivors(of: record)
      for (key, writes) in standing where key != .existence {
        let found = Set(state.registers[key]?.siblings.map(\.stamp) ?? [])
        for write in writes where !found.contains(write.stamp) {
          findings.append(
            Finding(.savesStand, "\(key) of \(record.id): \(write.payload) is lost"))
        }
        for stamp in found.subtracting(writes.map(\.stamp)) {
          findings.append(
            Finding(.savesStand, "\(key) of \(record.id): what was replaced is back: \(stamp)"))
        }
      }
      for key in state.registers.keys where standing[key] == nil && key != .existence {
        findings.append(Finding(.savesStand, "\(key) of \(record.id) was written by nobody"))
      }
      let expected = ledger.existence(of: record)
      if state.existence != expected {
        findings.append(
          Finding(
            .deletionsStand, "\(record.type) \(record.id) is \(state.existence), not \(expected)"))
      }
    }
  }

  /// What stands in all libraries together; that they are equal is another matter.
  private mutating func judgeCounters(_ copies: [[RecordReference: Snapshot]]) {
    for record in ledger.records.subtracting(ledger.purged).sorted(by: { $0.id < $1.id }) {
      let states = copies.compactMap { $0[record]?.state }
      guard let first = states.first else { continue }
      let state = states.dropFirst().reduce(first) { $0.joined(with: $1) }
      for field in SimulatedModel.model.type(record.type)?.fields ?? []
      where field.type == .counter {
        guard let sum = ledger.sum(of: field.id, in: record) else { continue }
        let count = state.settledValue(of: field).count
        if count != sum {
          findings.append(
            Finding(
              .countersAddUp, "\(field.id) of \(record.id) is \(count), and \(sum) were added"))
        }
      }
    }
  }

  mutating func judgeDevices() {
    for (device, library) in world.libraries.enumerated() {
      let first = world.libraries.firstIndex { $0.device == library.device }
      if let first, first != device {
        findings.append(
          Finding(.devicesAreDistinct, "libraries \(first) and \(device) write as one device"))
      }
    }
  }

  private mutating func judgeCancelled(_ copies: [[RecordReference: Snapshot]]) {
    let mark = UnreliableNetwork.cancelledMark
    if networks.contains(where: \.hasLeaked) {
      findings.append(Finding(.cancelledIsNowhere, "a request held it"))
    }
    for (device, copy) in copies.enumerated() {
      for (record, snapshot) in copy where "\(snapshot.fields) \(snapshot.state)".contains(mark) {
        findings.append(Finding(.cancelledIsNowhere, "library \(device) has it in \(record.id)"))
      }
    }
  }

  private mutating func judgeQuiet(
    of device: Int, _ copy: [RecordReference: Snapshot]
  ) async throws {
    let library = world.libraries[device]
    let backlog = try await library.syncBacklog()
    if backlog.pending + backlog.parked + backlog.held > 0 {
      let parked = try await library.parkedRecords(limit: 3)
      let held = try await library.heldRecords(limit: 3).map { "\($0.name): \($0.reason)" }
      findings.append(
        Finding(.nothingIsPending, "library \(device): \(backlog) \(parked) \(held)"))
    } else {
      let status = try await SyncStatus.read(library, now: world.clock.now(of: device))
      if status.summary != .succeeded {
        findings.append(Finding(.statusIsHonest, "library \(device) says \(status.summary)"))
      }
    }
    let counts = try await library.counts()
    let living = Dictionary(grouping: copy.filter { !$0.value.isDeleted }, by: \.key.type)
    for type in library.model.types where counts[type.id] ?? 0 != living[type.id]?.count ?? 0 {
      findings.append(
        Finding(
          .countsAddUp,
          "library \(device) counts \(counts[type.id] ?? 0) of \(type.id), "
            + "\(living[type.id]?.count ?? 0) are there"))
    }
  }

  private mutating func judgeEventLog(of device: Int) async throws {
    let events = try await world.libraries[device].events(limit: 2_000).reversed()
    var last: SyncEvent?
    for event in events {
      guard event.outcome != .running, let ended = event.endedAt else {
        findings.append(Finding(.eventsAreNested, "library \(device): an event never ended"))
        continue
      }
      // Every run of the driver has the true time for its clock, whatever the library's says.
      if let last, let lastEnded = last.endedAt, lastEnded > event.startedAt || last.id >= event.id
      {
        findings.append(Finding(.eventsAreNested, "library \(device): two events overlap"))
      }
      if event.startedAt > ended {
        findings.append(Finding(.eventsAreNested, "library \(device): ended before it began"))
      }
      if let fault = event.counts.fault {
        findings.append(Finding(.countsAddUp, "library \(device): \(fault)"))
      }
      last = event
    }
  }
}

/// What libraries share of their models.
struct SharedModel: Hashable {
  private struct Definition: Hashable {
    let type: FieldType
    let merge: MergePolicy
  }

  private let types: [TypeID: [FieldID: Definition]]

  init(_ model: Model) {
    var types: [TypeID: [FieldID: Definition]] = [:]
    for type in model.types {
      types[type.id] = Dictionary(
        type.fields.map { ($0.id, Definition(type: $0.type, merge: $0.merge)) },
        uniquingKeysWith: { first, _ in first })
    }
    self.types = types
  }

  var text: String {
    types.sorted { $0.key < $1.key }
      .map { "\($0.key)(\(Self.text(of: $0.value)))" }
      .joined(separator: " ")
  }

  private static func text(of fields: [FieldID: Definition]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key.name) \($0.value.merge)" }
      .joined(separator: ",")
  }
}
