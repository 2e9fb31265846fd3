/// How many zones one user may have, over all his private databases.
///
/// A library has one; the bound is there against a client that went mad. Deleted zones count in the
/// second number for as long as their deletion is remembered: their rows are kept that long.
package struct ZoneBounds: Sendable, Hashable {
  package var livingMax = 1_000
  package var rememberedMax = 10_000

  package init() {}

  func allowsAnother(for owner: Int64, _ storage: any StorageReading) throws -> Bool {
    let count = try storage.zoneCount(of: owner)
    return count.living < livingMax && count.remembered < rememberedMax
  }
}
