// `field=value` words, or a JSON object on standard input, written into a draft. How a text reads as a
// value is the domain's business (ValueText); what is here is what needs the library or a file.

internal import ArgumentParser
internal import RecordStore
internal import Records

/// The fields that `add` and `set` write.
struct FieldArguments: ParsableArguments {
  static let discussion = """
    field=value sets a field, field= clears it. Counters, tags and references take field+=value, \
    tags and references field-=value as well. @PATH as a value takes a file's content. A date may \
    be today+7d; a reference is an id, or the title of one record. With --stdin a JSON \
    object of fields is read instead, so that any value can be given.
    """

  @Argument(help: ArgumentHelp("What to write.", valueName: "field=value"))
  var words: [String] = []
  @Flag(help: "Read a JSON object of fields from standard input.") var stdin = false

  func validate() throws {
    if stdin && !words.isEmpty {
      throw ValidationError("Give field=value words or --stdin, not both")
    }
  }

  /// Writes the fields into the draft.
  ///
  /// A later word of a field wins; each `+=` and `-=` builds on the words before it.
  func apply(to draft: inout Draft, of type: RecordType, in library: Library) async throws {
    let reader = FieldReader(library: library, time: .system)
    if stdin {
      for member in try Self.members(of: try InputFile.standardInput.bytes()) {
        let field = try type.requireField(member.name)
        let value = try await reader.value(member.value, of: field)
        draft.set(value, of: field.id)
      }
      return
    }
    for word in words {
      guard let argument = FieldArgument(word) else { throw Failure.notAnAssignment(word) }
      let field = try type.requireField(argument.name)
      let edit = try await reader.edit(argument, of: field)
      do {
        draft.set(try edit.applied(to: draft.value(of: field.id) ?? .empty), of: field.id)
      } catch {
        throw Failure.badValue(field: field.name, text: argument.text, mistake: error)
      }
    }
  }

  private static func members(of bytes: [UInt8]) throws(Failure) -> [JSON.Member] {
    let json: JSON
    do {
      json = try JSON.read(bytes)
    } catch {
      throw .badJSON(error)
    }
    guard case .object(let members) = json else {
      throw .notAnObject
    }
    return members
  }
}

/// Reads a field's value from what a person or a program gave.
struct FieldReader {
  let library: Library
  let time: LocalTime

  /// What `field=value`, `field+=value` or `field-=value` does.
  func edit(_ argument: FieldArgument, of field: Field) async throws -> ValueEdit {
    guard argument.operation == .set || ValueEdit.fits(field.type) else {
      throw Failure.badValue(field: field.name, text: argument.text, mistake: .notAddable)
    }
    let value = try await value(ofArgument: argument.text, for: field)
    return switch argument.operation {
    case .set: .set(value)
    case .add: .add(value)
    case .subtract: .subtract(value)
    }
  }

  /// The value that an argument stands for: titles looked up, files read.
  func value(ofArgument text: String, for field: Field) async throws -> Value {
    let argument: ArgumentValue
    do {
      argument = try ValueText.argument(text, as: field.type, in: time)
    } catch {
      throw Failure.badValue(field: field.name, text: text, mistake: error)
    }
    switch argument {
    case .value(let value): return value
    case .references(let references):
      var ids: [RecordID] = []
      for reference in references { ids.append(try await id(of: reference, for: field)) }
      if case .reference = field.type { return ids.first.map(Value.reference) ?? .empty }
      return .references(sorted: ids)
    case .file(let path):
      if case .attachment = field.type { return .attachment(try await library.attach(path)) }
      let content = try InputFile(path: path).text()
      do {
        return try ValueText.read(content, as: field, in: time)
      } catch {
        throw Failure.badValue(field: field.name, text: content, mistake: error)
      }
    }
  }

  /// A value from JSON: exactly as `show` prints it.
  func value(_ json: JSON, of field: Field) async throws -> Value {
    do {
      return try ValueJSON.read(json, as: field.type, in: time)
    } catch {
      throw Failure.badValue(field: field.name, text: json.text, mistake: error)
    }
  }

  private func id(of reference: ReferenceText, for field: Field) async throws -> RecordID {
    guard let target = field.type.target else {
      preconditionFailure("only references are read as references")
    }
    let type = library.model.type(target)?.name ?? target.name
    switch reference {
    case .id(let id):
      guard try await library.snapshot(target, id) != nil else {
        throw Failure.unknownRecord(id.description, type: type)
      }
      return id
    case .title(let title):
      let found = try await library.find(target, titled: title, limit: 2)
      if found.count > 1 { throw Failure.severalTitled(title, type: type) }
      guard let id = found.first else { throw Failure.noReferenceTitled(title, type: type) }
      return id
    }
  }
}
