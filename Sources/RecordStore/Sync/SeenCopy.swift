// What a library remembers of the service's copy of a record, so that it can tell, next time, what
// a writer who knows no causal states has changed since.

package import Records

/// A file that the service's copy of a record refers to.
package struct SeenFile: Sendable, Hashable {
  /// The SHA-256 of its content; several files of one field are joined by commas.
  package var hash: String
  /// What the service calls its content.
  package var checksum: String

  package init(hash: String, checksum: String) {
    self.hash = hash
    self.checksum = checksum
  }
}

/// The service's copy as it was read or written last.
package struct SeenCopy: Sendable, Hashable {
  /// The first form had no files.
  private static let versions: ClosedRange<UInt8> = 1...2

  /// The digest of its causal bytes; zero where it had none.
  package var causal: UInt64
  /// All that the copy stands for.
  package var vector: VersionVector
  package var isDeleted: Bool
  /// The digests of its typed fields where they are not the ones in the causal bytes.
  package var values: [FieldID: UInt64]?
  /// The files that it refers to, by field of the wire.
  package var files: [String: SeenFile] = [:]

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
    writer.byte(files.isEmpty ? Self.versions.lowerBound : Self.versions.upperBound)
    writer.word(causal)
    writer.byte(isDeleted ? 1 : 0)
    writer.vector(vector)
    if !files.isEmpty {
      writer.varint(UInt64(files.count))
      for (field, file) in files.sorted(by: { $0.key < $1.key }) {
        writer.text(field)
        writer.text(file.hash)
        writer.text(file.checksum)
      }
    }
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
      let version = try reader.byte()
      guard Self.versions.contains(version) else { return nil }
      causal = try reader.word()
      isDeleted = try reader.byte() != 0
      vector = try reader.vector()
      values = nil
      if version > Self.versions.lowerBound {
        for _ in 0..<(try reader.count()) {
          let field = try reader.text()
          files[field] = SeenFile(hash: try reader.text(), checksum: try reader.text())
        }
      }
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

extension ByteWriter {
  package mutating func stamp(_ stamp: Stamp) {
    word(stamp.device.rawValue)
    varint(stamp.time.rawValue)
  }

  package mutating func vector(_ vector: VersionVector) {
    varint(UInt64(vector.entries.count))
    for entry in vector.entries { stamp(Stamp(time: entry.time, device: entry.device)) }
  }
}

extension ByteReader {
  package mutating func stamp() throws(ByteError) -> Stamp {
    let device = DeviceID(rawValue: try word())
    return Stamp(time: try time(), device: device)
  }

  package mutating func vector() throws(ByteError) -> VersionVector {
    var result = VersionVector()
    for _ in 0..<(try count()) { result.raise(to: try stamp()) }
    return result
  }
}
