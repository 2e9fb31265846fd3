// The model of a library on the service: one reserved record that every device reads before the
// records themselves. A device takes in the types and fields that it lacks, and adds those that the
// service lacks; it never takes one away.

internal import CloudKitWire
internal import ModelFile
internal import RecordStore
internal import Records

/// The reserved record.
enum ModelRecord {
  static let recordType = "SkyrosModel"
  static let recordName = "skyros.model"
  static let fieldName = "yaml"
  /// Longer models stay at home: the record has to stay below what a service takes.
  static let bytesMax = 700_000

  static func text(of record: WireRecord) -> String? {
    if case .string(let text) = record.fields[fieldName]?.value { text } else { nil }
  }
}

extension SyncExchange {
  /// Makes this library's model and the service's one know the same types and fields.
  ///
  /// Costs nothing while the model is the one that was shared last. Answers what stood in the way.
  func shareModel() async throws -> Answer? {
    let shared = Self.digest(of: library.model)
    guard settings.model != shared else { return nil }
    var request: (tag: String?, text: String?) = (nil, nil)
    switch await client.lookup([ModelRecord.recordName]) {
    case .failure(let answer): return answer
    case .message(let response, _):
      if case .record(let record)? = response.records.first {
        request = (record.recordChangeTag, ModelRecord.text(of: record))
      }
    }
    if let text = request.text { try await takeModel(text) }
    let model = library.model
    if request.text.map({ Self.model(of: $0)?.lacksSomething(of: model) ?? false }) ?? true {
      let text = ModelFile.text(of: model)
      guard text.utf8.count <= ModelRecord.bytesMax else { return nil }
      let record = WireRecord(
        recordName: ModelRecord.recordName, recordType: ModelRecord.recordType,
        recordChangeTag: request.tag, fields: [ModelRecord.fieldName: .string(text)])
      let operation = RecordOperation(request.tag == nil ? .create : .update, record)
      switch await client.modify([operation]) {
      case .failure(let answer): return answer
      case .message(let response, _):
        // Somebody else was first: both are joined at the next run.
        if case .failure? = response.records.first { return nil }
      }
    }
    let digest = Self.digest(of: model)
    try await library.updateSyncSettings { $0.model = digest }
    return nil
  }

  /// Adds the types and fields of the service's model that this library lacks.
  func takeModel(_ text: String) async throws {
    // A model that only a newer Skyros can read: its records are held back until then.
    guard let theirs = Self.model(of: text), library.model.lacksSomething(of: theirs) else {
      return
    }
    _ = try await library.apply(library.model.adding(theirs))
  }

  private static func model(of text: String) -> Model? {
    do { return try ModelFile.read(text) } catch { return nil }
  }

  private static func digest(of model: Model) -> String {
    String(Digest64.of(ModelFile.text(of: model).utf8), radix: 16)
  }
}

extension Model {
  /// Whether `other` has a type or a field that this model does not have.
  func lacksSomething(of other: Model) -> Bool {
    other.types.contains { type in
      guard let own = self.type(type.id) else { return true }
      return type.fields.contains { own.field($0.id) == nil }
    }
  }

  /// This model with the types and fields that only `other` has behind its own.
  func adding(_ other: Model) -> Model {
    var result = self
    for type in other.types {
      guard let index = result.types.firstIndex(where: { $0.id == type.id }) else {
        result.types.append(type)
        continue
      }
      let own = result.types[index]
      result.types[index].fields += type.fields.filter { own.field($0.id) == nil }
    }
    return result
  }
}
