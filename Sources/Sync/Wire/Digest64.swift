// A short digest of a value (FNV-1a, 64 bits): tells whether a value is still the one that was
// written. It guards against nobody: who may write a record may write its digest, too.

package import Records

package enum Digest64 {
  private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let prime: UInt64 = 0x0000_0100_0000_01B3

  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = offset
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
    // FNV mixes its upper bits badly; a finishing step of MurmurHash3 mends that.
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  /// Zero for an empty value.
  package static func of(_ value: Value) -> UInt64 {
    if value.isEmpty { return 0 }
    var writer = ByteWriter()
    writer.value(value)
    return of(writer.bytes)
  }
}
