// What a library remembers of the service's copy of a record, so that it can tell, next time, what
// a writer who knows no causal states has changed since.

package import Records

/// The service's copy as it was read or written last.
package struct SeenCopy: Sendable, Hashable {
  private static let version: UInt8 = 1

  /// The digest of its causal bytes; zero where it had none.
  package var causal: UInt64
  /// All that the copy stands for.
  package var vector: VersionVector
  package var isDeleted: Bool
  /// The digests of its typed fields where they are not the ones in the causal bytes.
  package var values: [FieldID: UInt64]?

  package init(
    causal: UInt64, vector: VersionVector, isDeleted: Bool, values: [FieldID: UInt64]? = nil
  ) {
    self.causal = causal
    self.vector = vector
    self.isDeleted = isDeleted
    self.values = values
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.word(causal)
    writer.byte(isDeleted ? 1 : 0)
    writer.vector(vector)
    if let values {
      writer.varint(UInt64(values.count))
      for (field, digest) in values.sorted(by: { $0.key < $1.key }) {
        writer.text(field.name)
        writer.word(digest)
      }
    }
    return writer.bytes
  }

  /// Nothing for bytes of another form: the copy is read as on first sight, which is safe.
  package init?(bytes: [UInt8]?) {
    guard let bytes else { return nil }
    do throws(ByteError) {
      var reader = ByteReader(bytes)
      guard try reader.byte() == Self.version else { return nil }
      causal = try reader.word()
      isDeleted = try reader.byte() != 0
      vector = try reader.vector()
      values = nil
      guard !reader.isAtEnd else { return }
      var values: [FieldID: UInt64] = [:]
      for _ in 0..<(try reader.count()) {
        guard let field = FieldID(try reader.text()) else { return nil }
        values[field] = try reader.word()
      }
      self.values = values
    } catch {
      return nil
    }
  }
}
