// A record type as registers, so that what two devices say of it is joined like a record: one
// register a field with its whole definition, and one a setting of the type. Pure.
//
// What only a newer Skyros knows stays in its register to the bit: a setting that this one has no
// name for, a field of an unknown type, an unknown member of a definition.

internal import CloudKitWire
package import Records

/// A type's registers, read and written.
package enum TypeShape {
  /// A setting of the type as a whole.
  enum Setting: String, CaseIterable {
    case name, label, title, list, sort, key, hidden, order
    /// Where the type stands among the others.
    case place

    var register: RegisterKey { .element(TypeShape.settings, ExactText(rawValue)) }
  }

  private static let settings = FieldID(trusted: "type")

  // MARK: Out

  /// The registers that stand for a type, without its place.
  private static func values(of type: RecordType) -> [RegisterKey: Value] {
    var values: [RegisterKey: Value] = [
      Setting.name.register: .text(type.name),
      Setting.label.register: type.label.map { .text(nonEmpty: $0) } ?? .empty,
      Setting.title.register: .text(nonEmpty: type.title?.name ?? ""),
      Setting.list.register: .text(nonEmpty: type.list.map(\.name).joined(separator: ",")),
      Setting.sort.register: .text(
        nonEmpty: type.sort.map { ($0.descending ? "-" : "") + $0.field.name }
          .joined(separator: ",")),
      Setting.key.register: .text(nonEmpty: type.key?.name ?? ""),
      Setting.hidden.register: .boolean(type.hidden),
      Setting.order.register: .text(
        nonEmpty: type.fields.map(\.id.name).joined(separator: ",")),
    ]
    for field in type.fields { values[.field(field.id)] = .text(FieldShape.text(of: field)) }
    return values
  }

  /// Writes what a type says otherwise than its registers do.
  ///
  /// - Parameter isMoved: Whether the place is written, too.
  package static func write(
    _ type: RecordType, place: Int, isMoved: Bool, into state: inout RecordState, stamp: Stamp
  ) {
    let before = read(type.id, state, over: type).map { values(of: $0) } ?? [:]
    for (key, value) in values(of: type).sorted(by: { "\($0.key)" < "\($1.key)" })
    where before[key] != value || state.registers[key] == nil {
      var value = value
      if case .text(let text) = value, case .field = key,
        case .text(let old)? = state.registers[key]?.winner.value
      {
        value = .text(FieldShape.keeping(what: old, lacksIn: text))
      }
      state.write(.value(value), to: key, stamp: stamp)
    }
    let place = Value.integer(Int64(place))
    let key = Setting.place.register
    if state.registers[key] == nil || isMoved && state.registers[key]?.winner.value != place {
      state.write(.value(place), to: key, stamp: stamp)
    }
    if state.registers[.existence] == nil { state.revive(stamp: stamp) }
  }

  // MARK: In

  /// The type that registers stand for; nothing where only a newer Skyros can read it.
  ///
  /// - Parameter own: The type as it is here: what can't be taken over stays as it is in it.
  package static func read(
    _ id: TypeID, _ state: RecordState, over own: RecordType?
  ) -> RecordType? {
    func text(_ setting: Setting) -> String? {
      if case .text(let text)? = state.registers[setting.register]?.winner.value {
        text
      } else {
        nil
      }
    }
    guard let name = text(.name), NameRule.allows(name) else { return nil }
    var fields: [FieldID: Field] = [:]
    for (key, register) in state.registers {
      guard case .field(let id) = key else { continue }
      guard case .text(let text) = register.winner.value,
        let field = FieldShape.field(id, text, over: own?.field(id))
      else {
        fields[id] = own?.field(id)
        continue
      }
      fields[id] = field
    }
    var type = RecordType(id: id, name: name)
    type.label = text(.label)
    let order = ids(text(.order))
    let rest = Set(fields.keys).subtracting(order).sorted()
    type.fields = (order + rest).compactMap { fields[$0] }
    func isKnown(_ id: FieldID) -> Bool { fields[id] != nil }
    type.title = ids(text(.title)).first(where: isKnown)
    type.list = ids(text(.list)).filter(isKnown)
    type.sort = (text(.sort) ?? "").split(separator: ",").compactMap { word in
      let isDescending = word.hasPrefix("-")
      guard let id = FieldID(String(isDescending ? word.dropFirst() : word)), isKnown(id) else {
        return nil
      }
      return SortKey(field: id, descending: isDescending)
    }
    type.key = ids(text(.key)).first(where: isKnown)
    type.hidden = state.registers[Setting.hidden.register]?.winner.value == .boolean(true)
    return type
  }

  private static func ids(_ text: String?) -> [FieldID] {
    var seen: Set<FieldID> = []
    return (text ?? "").split(separator: ",").compactMap { FieldID(String($0)) }
      .filter { seen.insert($0).inserted }
  }

  static func place(of state: RecordState) -> Int64 {
    if case .integer(let place)? = state.registers[Setting.place.register]?.winner.value {
      place
    } else {
      .max
    }
  }
}

/// A model as the registers of its types.
package enum ModelShape {
  /// The registers with what this library's model says otherwise written into them; only those that
  /// changed.
  ///
  /// - Parameter stamp: The stamp of a write above a vector.
  package static func writing(
    _ model: Model, into shapes: [TypeID: RecordState], stamp: (VersionVector) -> Stamp
  ) -> [TypeID: RecordState] {
    let isMoved = self.model(of: shapes, over: model).types.map(\.id) != model.types.map(\.id)
    var changed: [TypeID: RecordState] = [:]
    for (place, type) in model.types.enumerated() {
      let before = shapes[type.id] ?? RecordState()
      var state = before
      TypeShape.write(
        type, place: place, isMoved: isMoved, into: &state, stamp: stamp(before.vector))
      if state != before { changed[type.id] = state }
    }
    return changed
  }

  /// The model that registers stand for, with what only this library's own has.
  package static func model(of shapes: [TypeID: RecordState], over own: Model) -> Model {
    var types: [(place: Int64, type: RecordType)] = []
    var known: Set<TypeID> = []
    for (id, state) in shapes {
      guard let type = TypeShape.read(id, state, over: own.type(id)) else { continue }
      types.append((TypeShape.place(of: state), type))
      known.insert(id)
    }
    for (place, type) in own.types.enumerated() where !known.contains(type.id) {
      types.append((Int64(place), type))
    }
    types.sort { ($0.place, $0.type.id) < ($1.place, $1.type.id) }
    return distinct(Model(types: types.map(\.type)))
  }

  /// Two devices may give one name to two things: the later id bears its own name then.
  private static func distinct(_ model: Model) -> Model {
    var model = model
    var names: Set<String> = []
    for index in model.types.indices.sorted(by: { model.types[$0].id < model.types[$1].id })
    where !model.types[index].hidden {
      if !names.insert(model.types[index].name.lowercased()).inserted {
        model.types[index].name = model.types[index].id.name
        names.insert(model.types[index].name.lowercased())
      }
    }
    for index in model.types.indices {
      var names: Set<String> = []
      let fields = model.types[index].fields
      for place in fields.indices.sorted(by: { fields[$0].id < fields[$1].id })
      where !fields[place].hidden {
        if !names.insert(fields[place].name.lowercased()).inserted {
          model.types[index].fields[place].name = fields[place].id.name
          names.insert(fields[place].id.name.lowercased())
        }
      }
    }
    return model
  }
}
