// Forgetting, in SQL, a bounded piece at a time.

internal import GRDB

extension SQLiteTransaction {
  func forgetTombstones(before milliseconds: Int64, limit: Int) throws -> Bool {
    let old = try rows(
      """
      SELECT rowid, zone, sequence FROM record WHERE deleted = 1 AND modified_at < ?
      ORDER BY modified_at LIMIT ?
      """, [milliseconds, limit])
    for row in old {
      try run(
        "UPDATE zone SET forgotten = max(forgotten, ?) WHERE number = ?",
        [row[2] as Int64, row[1] as Int64])
      try run("DELETE FROM record WHERE rowid = ?", [row[0] as Int64])
    }
    let zones = try rows(
      """
      SELECT number, database, sequence, changed FROM zone WHERE deleted_at < ? LIMIT ?
      """, [milliseconds, limit])
    for row in zones {
      // A zone of that name, made later, goes on above what this one gave.
      try run(
        "UPDATE database SET forgotten = max(forgotten, ?), floor = max(floor, ?) WHERE number = ?",
        [row[3] as Int64, row[2] as Int64, row[1] as Int64])
      try run("DELETE FROM zone WHERE number = ?", [row[0] as Int64])
    }
    return old.count == limit || zones.count == limit
  }

  func forgetAnswers(before milliseconds: Int64) throws {
    try run("DELETE FROM answer WHERE created_at < ?", [milliseconds])
  }

  func forgetNotifications(before milliseconds: Int64) throws {
    try run("DELETE FROM notification WHERE created_at < ?", [milliseconds])
  }

  func forgetExpired(at milliseconds: Int64) throws {
    try run("DELETE FROM session WHERE expires_at <= ?", [milliseconds])
    try run("DELETE FROM sign_in_code WHERE until <= ?", [milliseconds])
    try run("DELETE FROM removed_token WHERE until <= ?", [milliseconds])
  }

  func beginEpoch(id: Int64) throws {
    try run("INSERT INTO epoch (number, id) SELECT max(number) + 1, ? FROM epoch", [id])
  }
}
