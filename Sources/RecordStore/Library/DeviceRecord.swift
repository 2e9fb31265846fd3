// Which device writes in this copy of the library (invariant J6). A device id belongs to one living
// library: a copy of the file takes a new one before it writes, or two copies would give the same
// stamp to different writes.

internal import GRDB
internal import Records

/// The rows that say who writes here.
enum DeviceRecord {
  static func begin(_ device: DeviceID, name: String, at: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE _device SET living = 0 WHERE living = 1")
    try db.execute(
      sql: "INSERT INTO _device (id, name, since, living) VALUES (?, ?, ?, 1)",
      arguments: [Int64(bitPattern: device.rawValue), name, at])
  }

  /// Writes down the file that this library is now.
  static func sign(machine: String, file: FileIdentity?, _ db: Database) throws {
    try LibraryOrigin.set("machine", machine, db)
    try LibraryOrigin.set("file", file?.text ?? "", db)
  }

  /// The device that writes here: the one written down, or a new one where the file is a copy.
  static func living(
    _ db: Database, file: FileIdentity?, lock: WriterLock, surroundings: Surroundings
  ) throws -> DeviceID {
    func signed() throws -> DeviceID? {
      guard try LibraryOrigin.value("machine", db) == surroundings.machine,
        try LibraryOrigin.value("file", db) == file?.text ?? ""
      else { return nil }
      return try written(db)
    }
    if let device = try signed() { return device }
    return try lock.hold(for: "taking a device id") {
      try db.inTransactionReturning {
        // Another program that opened the copy too may have been first.
        if let device = try signed() { return device }
        return try takeNew(db, file: file, surroundings: surroundings)
      }
    }
  }

  /// The device that the file says writes in it.
  static func written(_ db: Database) throws -> DeviceID? {
    try Int64.fetchOne(db, sql: "SELECT id FROM _device WHERE living = 1")
      .map { DeviceID(rawValue: UInt64(bitPattern: $0)) }
  }

  /// Gives this copy a device id of its own, and writes down whose copy it is.
  ///
  /// What the file holds of the old device's writes, it wrote before the two parted: they stay its
  /// own, so that a write that waits in both arrives once, and what either does next has seen it.
  ///
  /// - Parameter hasForked: Two wrote under the old id. Then one stamp may stand for two writes: what
  ///   nobody has seen of this copy's gets the new id.
  static func takeNew(
    _ db: Database, file: FileIdentity?, surroundings: Surroundings, hasForked: Bool = false
  ) throws -> DeviceID {
    let old = try written(db)
    let new = DeviceID(random: surroundings.random())
    try begin(new, name: surroundings.deviceName, at: surroundings.milliseconds(), db)
    try sign(machine: surroundings.machine, file: file, db)
    if let old {
      try LibraryOrigin.set("copiedFrom", old.description, db)
      var renaming = try DeviceRenaming(from: old, to: new, db, surroundings: surroundings)
      try renaming.run(restamping: hasForked)
    }
    return new
  }
}
