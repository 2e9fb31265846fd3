// What each deed of a script does, through the same doors as the program.

internal import Foundation
internal import RecordService
internal import RecordStore
internal import Records
internal import TestKit

extension Simulation {
  /// Does a step; answers what came of it, for the trace.
  mutating func act(_ step: Step, _ random: inout SeededGenerator) async throws -> String {
    let device = step.device
    let library = world.libraries[device]
    if step.deed.isSave { try await sabotage.beforeSaving(library) }
    switch step.deed {
    case .add: return try await add(step, SimulatedModel.place, &random)
    case .addByKey: return try await addByKey(step, &random)
    case .addWithRelated: return try await addWithRelated(step, &random)
    case .edit: return try await edit(step, &random)
    case .delete:
      guard let record = try await pick(on: library, &random)?.reference else { return "nothing" }
      return "\(try await library.delete(record.type, [record.id]).records.count)"
    case .restore:
      guard let entry = try await library.trash(limit: 5, offset: 0).randomElement(using: &random)
      else { return "nothing" }
      return "\(try await library.restore(entry.record.type, [entry.record.id]).records.count)"
    case .purge:
      guard let entry = try await library.trash(limit: 5, offset: 0).randomElement(using: &random)
      else { return "nothing" }
      return "\(try await library.purge(entry.record.type, [entry.record.id]).records.count)"
    case .undo: return "\(try await library.undo().undone)"
    case .settleConflict: return try await settleConflict(on: library, &random)
    case .importTable: return try await importTable(step, &random)
    case .count: return try await count(step, &random)
    case .changeModel: return try await changeModel(step, &random)
    case .changeMerge: return try await changeMerge(step, &random)
    case .typeIntoDraft: return try await typeIntoDraft(step, &random)
    case .saveDraft: return try await saveDraft(step, &random)
    case .cancelDraft: return try await cancelDraft(step, &random)
    case .sync: return "\(try await sync(device))"
    case .cut:
      networks[device].cut = UnreliableNetwork.Cut.allCases.randomElement(using: &random) ?? .both
      return networks[device].cut.rawValue
    case .mend:
      networks[device].cut = .none
      return "mended"
    case .jumpOfClock:
      world.clock.setSkew(
        Int64.random(in: -Script.skewMax...Script.skewMax, using: &random), of: device)
      return "jumped"
    case .longAbsence:
      world.clock.advance(400 * Script.millisecondsPerDay)
      try await world.service.upkeep()
      return "400 days"
    case .reopen: return "reopened"
    case .copyLibrary: return canCopy ? "copied" : "copied often enough"
    }
  }

  // MARK: Records

  /// Any record that this library has, in the trash or not.
  private func pick(
    on library: Library, _ random: inout SeededGenerator
  ) async throws -> Snapshot? {
    for record in known.shuffled(using: &random).prefix(5)
    where library.model.type(record.type) != nil {
      if let snapshot = try await library.snapshot(record.type, record.id) { return snapshot }
    }
    return nil
  }

  private var known: [RecordReference] {
    ledger.records.sorted { ($0.id, $0.type) < ($1.id, $1.type) }
  }

  var places: [RecordID] { known.filter { $0.type == SimulatedModel.place }.map(\.id) }

  private func targets(of field: Field) -> [RecordID] {
    guard let target = field.type.target else { return [] }
    return known.filter { $0.type == target }.map(\.id)
  }

  private func newDraft(of type: RecordType, on library: Library) -> Draft {
    Draft(
      id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(), of: type)
  }

  /// Fills some fields of a draft by chance.
  private func fill(
    _ draft: inout Draft, _ type: RecordType, count: Int, _ random: inout SeededGenerator
  ) {
    let fields = type.visibleFields.filter { $0.id != type.key }
    for field in fields.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)) {
      draft.set(
        SimulatedModel.value(
          of: field, count: count, targets: targets(of: field), &random), of: field.id)
    }
  }

  /// Saves a draft, and holds the answer to what can be read then.
  private mutating func save(_ draft: Draft, on library: Library) async throws -> CommitOutcome {
    let before = try await library.snapshot(draft.type, draft.record)
    let result = try await library.commit(draft)
    switch result.outcome {
    case .applied, .merged:
      let id = result.records[draft.id] ?? draft.record
      let snapshot = try await library.snapshot(draft.type, id)
      for (field, value) in draft.changes {
        let saved = snapshot?.value(of: field) ?? .empty
        switch library.model.type(draft.type)?.field(field)?.merge {
        case .latest where saved != value:
          findings.append(Finding(.savesStand, "\(field) of \(id) is not what was just saved"))
        case .sum:
          let added = value.count - (draft.base?.value(of: field).count ?? 0)
          if saved.count - (before?.value(of: field).count ?? 0) != added {
            findings.append(Finding(.countersAddUp, "\(field) of \(id) did not grow by \(added)"))
          }
        default: break
        }
      }
    case .unchanged, .conflict, .gone: break
    }
    return result.outcome
  }

  private mutating func add(
    _ step: Step, _ type: TypeID, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard let type = library.model.type(type) else { return "no type" }
    var draft = newDraft(of: type, on: library)
    draft.set(.text("new \(step.number)"), of: type.fields[0].id)
    fill(&draft, type, count: step.number, &random)
    return "\(try await save(draft, on: library))"
  }

  /// A record that other devices may add as well: same key, same record.
  private mutating func addByKey(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard let type = library.model.type(SimulatedModel.country) else { return "no type" }
    var draft = newDraft(of: type, on: library)
    let code = ["JP", "GR", "SE"].randomElement(using: &random) ?? "JP"
    draft.set(.text(code), of: FieldID(trusted: "iso"))
    draft.set(.text("label \(step.number)"), of: FieldID(trusted: "label"))
    return "\(try await save(draft, on: library))"
  }

  /// A trip and a place of it, in one save.
  private mutating func addWithRelated(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard let trip = library.model.type(SimulatedModel.trip),
      let place = library.model.type(SimulatedModel.place)
    else { return "no type" }
    var draft = newDraft(of: trip, on: library)
    draft.set(.text("trip \(step.number)"), of: FieldID(trusted: "title"))
    var related = newDraft(of: place, on: library)
    related.set(.reference(draft.record), of: FieldID(trusted: "trip"))
    related.set(.text("on trip \(step.number)"), of: FieldID(trusted: "name"))
    draft.related = [related]
    return "\(try await save(draft, on: library))"
  }

  private mutating func edit(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard let base = try await pick(on: library, &random), !base.isDeleted,
      let type = library.model.type(base.type)
    else { return "nothing" }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: base)
    fill(&draft, type, count: step.number, &random)
    return "\(try await save(draft, on: library))"
  }

  /// One more of something, as `climbs+=1` does it.
  private mutating func count(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    for id in places.shuffled(using: &random).prefix(5) {
      guard let base = try await library.snapshot(SimulatedModel.place, id), !base.isDeleted
      else { continue }
      var draft = Draft(id: library.surroundings.newDraftID(), editing: base)
      let sum =
        base.value(of: SimulatedModel.climbs).count + Int64.random(in: 1...9, using: &random)
      draft.set(.integer(sum), of: SimulatedModel.climbs)
      return "\(try await save(draft, on: library))"
    }
    return "nothing"
  }

  private func settleConflict(
    on library: Library, _ random: inout SeededGenerator
  ) async throws -> String {
    guard let record = try await library.conflictedRecords(limit: 5).randomElement(using: &random),
      let type = library.model.type(record.type),
      let snapshot = try await library.snapshot(record.type, record.id),
      let conflict = snapshot.state.conflicts(in: type).first,
      let side = conflict.sides.randomElement(using: &random)
    else { return "nothing" }
    let result = try await library.resolve(
      record.type, record.id, field: conflict.field, value: side.value)
    return "settled \(result.records.count)"
  }

  // MARK: Tables and the model

  private func importTable(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    var lines = ["iso,label"]
    for code in ["JP", "GR", "IT", "FR"] where Bool.random(using: &random) {
      lines.append("\(code),imported \(step.number)")
    }
    let file = world.folder.appending(path: "\(step.number).csv")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    guard let today = CalendarDate(year: 2023, month: 11, day: 14) else { return "no day" }
    let request = ImportRequest(
      path: file.path(), type: "Country", time: .utc(today: today))
    let report = try await world.libraries[step.device].importTable(request)
    return "added \(report.added), updated \(report.updated), unchanged \(report.unchanged)"
  }

  private func changeModel(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    var model = library.model
    let own = "\(step.device)_\(step.number)"
    let answer: String
    let index = model.types.indices.randomElement(using: &random) ?? 0
    let last = model.types[index].fields.count - 1
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let type = RecordType(
        id: TypeID(trusted: "Extra\(own)"),
        fields: [Field(id: FieldID(trusted: "word"), type: .text)])
      model.types.append(type)
      answer = "type \(type.id)"
    case 1:
      model.types[index].label = "Label \(own)"
      answer = "label of \(model.types[index].id)"
    case 2:
      model.types[index].fields[last].label = "Label \(own)"
      answer = "label of a field of \(model.types[index].id)"
    case 3 where last > 1:
      model.types[index].fields[last].hidden.toggle()
      answer = "field hidden or shown of \(model.types[index].id)"
    default:
      let kinds: [FieldType] = [.text, .integer, .boolean, .tags]
      model.types[index].fields.append(
        Field(
          id: FieldID(trusted: "extra\(own)"), type: kinds.randomElement(using: &random) ?? .text))
      answer = "field of \(model.types[index].id)"
    }
    return "\(answer), \(try await apply(model, to: library))"
  }

  /// Has a field settle in another of the ways that its type knows.
  private func changeMerge(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    var model = library.model
    let candidates = model.types.indices.flatMap { type in
      model.types[type].fields.indices.map { (type, $0) }
    }.filter { type, field in
      let field = model.types[type].fields[field]
      return field.id != SimulatedModel.climbs && field.policies.count > 1
    }
    guard let (type, index) = candidates.randomElement(using: &random) else { return "nothing" }
    let field = model.types[type].fields[index]
    let others = field.policies.filter { $0 != field.merge }
    guard let merge = others.randomElement(using: &random) else { return "nothing" }
    model.types[type].fields[index].merge = merge
    return "\(field.id) by \(merge), \(try await apply(model, to: library))"
  }

  private func apply(_ model: Model, to library: Library) async throws -> String {
    let result = try await library.apply(model, losing: true)
    return result.transaction == nil ? "nothing" : "done"
  }
}

extension Field {
  /// The ways in which it could settle.
  fileprivate var policies: [MergePolicy] { MergePolicy.allCases.filter { $0.fits(type) } }
}

extension Value {
  /// What a counter that holds it has counted.
  var count: Int64 { if case .integer(let count) = self { count } else { 0 } }
}

extension Snapshot {
  fileprivate var reference: RecordReference { RecordReference(type: type, id: id) }
}
