// The flows that every fault is tried on: what a person does with a library, each as a preparation
// and a deed that can be tried again.

import Foundation
import GRDB
import RecordStore
import Records
import TestKit
import Testing

/// One thing that a person does with a library.
struct Flow: Sendable, CustomTestStringConvertible {
  /// What a preparation leaves for the deed.
  struct Desk: Sendable {
    var drafts: [Draft] = []
    var records: [RecordID] = []
    var number: Int64?
    var path = ""
    var request: ImportRequest?
    var model: Model?
    var page: RemotePage?
    var pending: [PendingRecord] = []
    var attachment: Records.Attachment?
  }

  let name: String
  /// Whether it writes records, so that its statements are counted.
  var hasStatements = true
  let prepare: @Sendable (Fixture) async throws -> Desk
  let act: @Sendable (Library, Desk) async throws -> Void

  var testDescription: String { name }

  static let all: [Flow] = saves + wholeRecords + tables + syncing + files

  // MARK: Saves

  private static let saves: [Flow] = [
    Flow(name: "a save") { fixture in
      let id = try await fixture.add(
        Fixture.place, ["name": .text("Porto"), "visits": .integer(1)])
      return Desk(drafts: [
        try await fixture.draft(
          Fixture.place, id,
          ["name": .text("O Porto"), "tags": .tags(TagSet(["a"])), "visits": .integer(3)])
      ])
    } act: { library, desk in
      _ = try await library.commit(desk.drafts)
    },
    Flow(name: "a save of a new record with related ones") { fixture in
      var trip = fixture.newDraft(Fixture.trip, ["title": .text("North")])
      trip.related = [
        fixture.newDraft(
          Fixture.place, ["name": .text("Braga"), "trip": .reference(trip.record)]),
        fixture.newDraft(Fixture.country, ["iso": .text("PT")]),
      ]
      return Desk(drafts: [trip])
    } act: { library, desk in
      _ = try await library.commit(desk.drafts)
    },
    Flow(name: "a save of a stale draft that merges") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      let stale = try await fixture.draft(Fixture.place, id, ["population": .integer(1)])
      _ = try await fixture.set(Fixture.place, id, ["notes": .text("since")])
      return Desk(drafts: [stale])
    } act: { library, desk in
      _ = try await library.commit(desk.drafts)
    },
    Flow(name: "an undo of an edit") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      _ = try await fixture.set(Fixture.place, id, ["name": .text("O Porto")])
      return Desk(number: try await fixture.library.history(limit: 1).first?.number)
    } act: { library, desk in
      try await forgivingUndone { _ = try await library.undo(desk.number) }
    },
    Flow(name: "the settling of a conflict") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      try await fixture.library.saveSyncSettings(settings)
      _ = try await fixture.library.apply(try await conflicting(id, in: fixture))
      return Desk(records: [id])
    } act: { library, desk in
      _ = try await library.resolve(
        Fixture.place, desk.records[0], field: FieldID("name"), value: .value(.text("settled")))
    },
  ]

  // MARK: Whole records

  private static let wholeRecords: [Flow] = [
    Flow(name: "a delete that cascades and nullifies") { fixture in
      let trip = try await fixture.add(Fixture.trip, ["title": .text("North")])
      _ = try await fixture.add(
        Fixture.trip, ["title": .text("Day 1"), "parent": .reference(trip)])
      _ = try await fixture.add(Fixture.place, ["name": .text("Braga"), "trip": .reference(trip)])
      return Desk(records: [trip])
    } act: { library, desk in
      _ = try await library.delete(Fixture.trip, desk.records)
    },
    Flow(name: "a restore") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      _ = try await fixture.library.delete(Fixture.place, [id])
      return Desk(records: [id])
    } act: { library, desk in
      _ = try await library.restore(Fixture.place, desk.records)
    },
    Flow(name: "a purge") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      _ = try await fixture.library.delete(Fixture.place, [id])
      return Desk(records: [id])
    } act: { library, desk in
      do {
        _ = try await library.purge(Fixture.place, desk.records)
      } catch StoreError.unknownRecord {
        // It was purged before the failure could be told.
      }
    },
    Flow(name: "an undo of a delete") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      _ = try await fixture.library.delete(Fixture.place, [id])
      return Desk(number: try await fixture.library.history(limit: 1).first?.number)
    } act: { library, desk in
      try await forgivingUndone { _ = try await library.undo(desk.number) }
    },
  ]

  /// An undo that was done before its failure could be told is not done twice.
  private static func forgivingUndone(_ undo: () async throws -> Void) async throws {
    do { try await undo() } catch StoreError.alreadyUndone {}
  }
}

// MARK: Tables, models, sync, files

extension Flow {
  fileprivate static let tables: [Flow] = [
    Flow(name: "an import that adds and updates") { fixture in
      _ = try await fixture.add(Fixture.place, ["name": .text("One"), "code": .text("A")])
      return Desk(
        request: try request("code,name\nA,Uno\nB,Two\nC,Three\n", "Place", key: "code", fixture))
    } act: { library, desk in
      if let request = desk.request { _ = try await library.importTable(request) }
    },
    Flow(name: "an import of a new type") { fixture in
      Desk(request: try request("Title,Year\nOne,1999\nTwo,2000\n", "Book", key: nil, fixture))
    } act: { library, desk in
      guard library.model.type(named: "Book") == nil, let request = desk.request else { return }
      _ = try await library.importTable(request)
    },
    Flow(name: "a migration") { fixture in
      _ = try await fixture.add(Fixture.place, ["name": .text("Porto"), "code": .text("7")])
      var model = fixture.library.model
      model.types[0].fields.append(Field(id: FieldID("height"), type: .decimal))
      model.types[0].fields[0].index = true
      model.types.append(
        RecordType(id: TypeID(trusted: "Book"), fields: [Field(id: FieldID("title"), type: .text)]))
      return Desk(model: model)
    } act: { library, desk in
      if let model = desk.model { _ = try await library.apply(model) }
    },
    Flow(name: "a repair") { fixture in
      _ = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      let file = try DatabaseQueue(path: fixture.folder.file("test.skyros/library.sqlite"))
      try await file.writeWithoutTransaction { db in
        try db.execute(sql: "DROP INDEX \"Place.population\"")
      }
      try file.close()
      return Desk()
    } act: { library, _ in
      _ = try await library.repair()
    },
  ]

  fileprivate static let syncing: [Flow] = [
    Flow(name: "the import of a page with a conflict") { fixture in
      let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
      try await fixture.library.saveSyncSettings(settings)
      var page = try await conflicting(id, in: fixture)
      page.held = [
        HeldRecord(name: "later", type: "Book", tag: "1", reason: "unknownType", message: [1])
      ]
      page.token = "next"
      page.isLast = true
      return Desk(page: page)
    } act: { library, desk in
      if let page = desk.page { _ = try await library.apply(page) }
    },
    Flow(name: "an acknowledgement") { fixture in
      try await fixture.library.saveSyncSettings(settings)
      for name in ["Porto", "Braga"] {
        try await fixture.add(Fixture.place, ["name": .text(name)])
      }
      return Desk(pending: try await fixture.library.pendingRecords(limit: 10))
    } act: { library, desk in
      try await library.acknowledge(
        desk.pending.map {
          Acknowledgement(
            reference: $0.reference, number: $0.number,
            remote: RemoteCopy(tag: "1", seen: [1, 2, 3]))
        })
    },
    Flow(name: "the parking of a record") { fixture in
      try await fixture.library.saveSyncSettings(settings)
      try await fixture.add(Fixture.place, ["name": .text("Porto")])
      return Desk(pending: try await fixture.library.pendingRecords(limit: 10))
    } act: { library, desk in
      try await library.park(desk.pending.map { ($0, "accessDenied", nil) })
    },
    Flow(name: "turning sync off") { fixture in
      try await fixture.library.saveSyncSettings(settings)
      try await fixture.add(Fixture.place, ["name": .text("Porto")])
      let pending = try await fixture.library.pendingRecords(limit: 10)
      try await fixture.library.acknowledge(
        pending.map {
          Acknowledgement(
            reference: $0.reference, number: $0.number, remote: RemoteCopy(tag: "1"))
        })
      return Desk()
    } act: { library, _ in
      try await library.turnSyncOff()
    },
  ]

  fileprivate static let files: [Flow] = [
    Flow(name: "a backup", hasStatements: false) { fixture in
      try await fixture.add(Fixture.place, ["name": .text("Porto")])
      return Desk(path: fixture.folder.file("one.backup"))
    } act: { library, desk in
      do {
        _ = try await library.backUp(to: desk.path)
      } catch StoreError.file(_, _, EEXIST) {
        // It was there, whole, before the failure could be told.
      }
    },
    Flow(name: "the restoring of a backup", hasStatements: false) { fixture in
      try await fixture.add(Fixture.place, ["name": .text("Porto")])
      let path = fixture.folder.file("one.backup")
      _ = try await fixture.library.backUp(to: path)
      try await fixture.add(Fixture.place, ["name": .text("Braga")])
      return Desk(path: path)
    } act: { library, desk in
      _ = try await library.restoreBackup(from: desk.path)
    },
    Flow(name: "taking an attachment in", hasStatements: false) { fixture in
      let path = fixture.folder.file("photo")
      try Data((0..<300_000).map { UInt8($0 % 251) }).write(to: URL(filePath: path))
      return Desk(path: path)
    } act: { library, desk in
      _ = try await library.attach(desk.path)
    },
    Flow(name: "handing an attachment out", hasStatements: false) { fixture in
      let path = fixture.folder.file("photo")
      try Data((0..<300_000).map { UInt8($0 % 251) }).write(to: URL(filePath: path))
      return Desk(
        path: fixture.folder.file("copy"), attachment: try await fixture.library.attach(path))
    } act: { library, desk in
      guard let attachment = desk.attachment else { return }
      do {
        try await library.saveAttachment(attachment, to: desk.path)
      } catch StoreError.file(_, _, EEXIST) {
        // It was there, whole, before the failure could be told.
      }
    },
    Flow(name: "keeping a draft", hasStatements: false) { fixture in
      Desk(drafts: [fixture.newDraft(Fixture.place, ["name": .text("typed")])])
    } act: { library, desk in
      try await library.journal(desk.drafts[0])
    },
  ]

  private static var settings: SyncSettings {
    SyncSettings(service: "file:test", container: "test", zone: "Skyros")
  }

  private static func request(
    _ text: String, _ type: String, key: String?, _ fixture: Fixture
  ) throws -> ImportRequest {
    let path = fixture.folder.file("table.csv")
    try Data(text.utf8).write(to: URL(filePath: path))
    guard let today = CalendarDate(year: 2026, month: 11, day: 21) else { fatalError("a day") }
    var request = ImportRequest(path: path, type: type, time: .utc(today: today))
    request.key = key
    return request
  }

  /// A page in which another device gave a record another name, unseen by this one; and a new record.
  fileprivate static func conflicting(
    _ id: RecordID, in fixture: Fixture
  ) async throws -> RemotePage {
    let other = DeviceID(rawValue: 77)
    let time = HybridTime(milliseconds: fixture.world.now + 5)
    func state(_ name: String) -> RecordState {
      var state = RecordState()
      state.write(
        .value(.text(name)), to: .field(FieldID("name")), stamp: Stamp(time: time, device: other))
      return state
    }
    var page = RemotePage()
    for (record, name) in [(id, "theirs"), (fixture.library.surroundings.newRecordID(), "new")] {
      page.changes.append(
        RemoteChange(
          reference: RecordReference(type: Fixture.place, id: record),
          content: .state(state(name)), remote: RemoteCopy(tag: "1", seen: [1])))
    }
    return page
  }
}
