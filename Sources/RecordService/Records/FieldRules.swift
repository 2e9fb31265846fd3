// What names and values a record may have, and how fields find their types.

internal import CloudKitWire

enum NameRules {
  /// 1 to 255 bytes without control characters.
  static func isRecordName(_ name: String) -> Bool {
    let bytes = name.utf8
    return !bytes.isEmpty && bytes.count <= WireLimits.recordNameBytesMax
      && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  static func isZoneName(_ name: String) -> Bool { isRecordName(name) }

  /// A letter, then letters, digits and underscores.
  ///
  /// Names that begin with an underscore are the service's own.
  static func isIdentifier(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, bytes.count <= 255 else { return false }
    return isLetter(first)
      && bytes.allSatisfy {
        isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: "_")
      }
  }

  /// Whether a path can name it.
  static func isContainer(_ name: String) -> Bool {
    isRecordName(name) && !name.utf8.contains(UInt8(ascii: "/"))
  }

  /// Words of letters, digits, hyphens and underscores, joined by dots: `iCloud.org.example.notes`.
  static func hasContainerForm(_ name: String) -> Bool {
    let words = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return isContainer(name) && words.count >= 2
      && words.allSatisfy { word in
        !word.isEmpty
          && word.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || isLetter(byte)
          }
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// The field types of one record type in one zone: fixed by whoever writes a field first.
struct FieldSchema {
  let recordType: String
  private(set) var types: [String: FieldType]
  /// Types that were first seen now, to be stored.
  private(set) var fresh: [String: FieldType] = [:]

  init(recordType: String, types: [String: FieldType]) {
    self.recordType = recordType
    self.types = types
  }

  /// The field as it is stored; throws when it is not what the field is.
  mutating func settle(_ name: String, _ field: WireField) throws -> WireField {
    guard NameRules.isIdentifier(name) else {
      throw ServiceError(.badRequest, "'\(name.prefix(64))' is no name for a field.")
    }
    guard let value = field.value, let tag = field.type else { return WireField(nil, nil) }
    guard let known = types[name] else {
      if tag != .unknownList {
        types[name] = tag
        fresh[name] = tag
      }
      return WireField(value, tag, isEncrypted: field.isEncrypted)
    }
    if known == tag { return WireField(value, tag, isEncrypted: field.isEncrypted) }
    if let untyped = field.untyped {
      do throws(UnfitValue) {
        let value = try WireValue(untyped, as: known)
        return WireField(value, known, isEncrypted: field.isEncrypted)
      } catch {
        throw mismatch(name, tag, known, ": \(error.reason)")
      }
    }
    if tag == .unknownList, known.isList {
      return WireField(value, known, isEncrypted: field.isEncrypted)
    }
    throw mismatch(name, tag, known, "")
  }

  mutating func stored() -> [String: FieldType] {
    defer { fresh = [:] }
    return fresh
  }

  private func mismatch(
    _ name: String, _ tag: FieldType, _ known: FieldType, _ more: String
  ) -> ServiceError {
    ServiceError(
      .badRequest,
      "invalid attempt to set value type \(tag.rawValue) for field '\(name)' for type "
        + "'\(recordType)', defined to be: \(known.rawValue)\(more)")
  }
}
