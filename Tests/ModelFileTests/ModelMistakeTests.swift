import ModelFile
import Records
import Testing

/// Mistakes of the model file, with their places.
struct ModelMistakeTests {
  private func mistakes(_ text: String, over current: Model? = nil) -> [ModelMistake] {
    do {
      _ = try ModelFile.read(text, over: current)
      return []
    } catch {
      return error.mistakes
    }
  }

  private func kinds(_ text: String) -> [ModelMistake.Kind] { mistakes(text).map(\.kind) }

  private func field(_ text: String) -> [ModelMistake.Kind] {
    kinds("skyros: 1\ntypes:\n  T:\n    fields:\n      a: \(text)\n")
  }

  @Test func `several mistakes are told at once, each with its place`() {
    let text = """
      skyros: 1
      types:
        Place:
          colour: red
          fields:
            name: {type: txt}
            population: {type: integer, min: many, requird: true}
      """
    let found = mistakes(text)
    #expect(found.map { "\($0.line):\($0.column)" } == ["4:5", "6:20", "7:40", "7:46"])
    #expect(found.map(\.path.last) == ["Place", "type", "min", "population"])
    #expect(found[1].kind == .unknownWord("txt", known: FieldType.words))
    #expect(found[2].kind == .badValue("many", .integer))
  }

  @Test(arguments: [
    ("{type: text, of: [a]}", ModelMistake.Kind.doesNotFit(key: "of", type: "text")),
    ("{type: choice}", .missingKey("of")),
    ("choice", .missingKey("of")),
    ("{type: choice, of: []}", .expected(.list)),
    ("{type: choice, of: [a, a]}", .duplicate("a")),
    ("{type: reference}", .missingKey("to")),
    ("{type: reference, to: Nowhere}", .unknownType("Nowhere")),
    ("{required: true}", .missingKey("type")),
    ("{type: text, required: yes}", .expected(.boolean)),
    ("{type: boolean, min: 1}", .doesNotFit(key: "min", type: "boolean")),
    ("{type: integer, min: 3, max: 2}", .emptyRange),
    ("{type: integer, default: today}", .badValue("today", .date)),
    ("{type: text, pattern: '['}", .badPattern("[")),
    ("{type: text, pattern: '(a)\\1'}", .badPattern("(a)\\1")),
    ("{type: text, pattern: 'a{1000000}'}", .badPattern("a{1000000}")),
    ("{type: integer, merge: lines}", .doesNotFit(key: "merge", type: "integer")),
    (
      "{type: text, merge: newest}",
      .unknownWord("newest", known: ["latest", "union", "sum", "lines"])
    ),
    ("{type: text, was: 9x}", .badName("9x")),
    ("{type: text, type: text}", .duplicate("type")),
    ("{type: text, label: *name}", .alias),
    ("[a]", .expected(.mapping)),
  ])
  func `a field's mistake is named`(text: String, kind: ModelMistake.Kind) {
    #expect(field(text) == [kind])
  }

  @Test func `a pattern that can't be read is kept in a model that a library has`() throws {
    let text = "skyros: 1\ntypes: {T: {fields: {a: {type: text, pattern: '(a)\\1'}}}}"
    #expect(kinds(text) == [.badPattern("(a)\\1")])
    let model = try ModelFile.read(stored: text)
    #expect(model.types.first?.fields.first?.pattern == "(a)\\1")
    #expect(try ModelFile.read(stored: ModelFile.text(of: model)) == model)
    #expect(throws: ModelMistakes.self) { try ModelFile.read(stored: "skyros: 1\ntypes: [") }
  }

  @Test func `a file's own mistakes are named`() {
    #expect(kinds("") == [.missingKey("types")])
    #expect(kinds("types: {}") == [.missingKey("skyros")])
    #expect(kinds("skyros: 2\ntypes: {}") == [.version("2")])
    #expect(kinds("skyros: 1\ntypes: {T: {title: b, fields: {a: text}}}") == [.unknownField("b")])
    #expect(kinds("skyros: 1\ntypes: {T: {}, t: {}}") == [.sameName("t", as: "T")])
    #expect(
      kinds("skyros: 1\ntypes: {T: {fields: {a: text, A: text}}}") == [.sameName("A", as: "a")])
    #expect(kinds("skyros: 1\ntypes: {1T: {}}") == [.badName("1T")])
    #expect(kinds("skyros: 1\ntypes: {sqlite_x: {}}") == [.badName("sqlite_x")])
    #expect(
      kinds("skyros: 1\ntypes: {T: {key: a, fields: {a: longText}}}") == [
        .doesNotFit(key: "key", type: "longText")
      ])
    #expect(
      mistakes("skyros: 1\ntypes: {T: {was: U}}", over: Model()).map(\.kind) == [.wasUnknown("U")])
  }

  @Test func `broken YAML has a place`() {
    let found = mistakes("skyros: 1\ntypes: [")
    #expect(found.count == 1)
    #expect(found.first?.line == 2 || found.first?.line == 3)
    if case .unreadable = found.first?.kind {} else { Issue.record("\(found)") }
  }

  @Test func `a hostile file costs nothing`() {
    #expect(kinds(String(repeating: "[", count: 100_000)) == [.tooDeep])
    #expect(kinds(String(repeating: "- ", count: 100_000)) == [.tooDeep])
    #expect(kinds(String(repeating: "? ", count: 100_000)) == [.tooDeep])
    #expect(kinds(String(repeating: "x", count: 2 << 20)) == [.tooLarge(bytesMax: 1 << 20)])
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
    #expect(kinds(bomb) == [.alias])
    let steps = (0..<1000).map { String(repeating: " ", count: $0) + "a:" }
    #expect(kinds(steps.joined(separator: "\n")) == [.tooDeep])
  }

  @Test func `any bytes give a model or mistakes, never a crash`() {
    var seed: UInt64 = 7
    func next(_ below: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % below
    }
    let parts = [
      "skyros: 1\n", "types:\n", "  T:\n", "    fields:\n", "      a: ", "{type: text", ", ",
      "}", "[", "]", "\"", "'", "\n", "- ", "? ", ": ", "&a ", "*a", "|\n", ">", "#", "!!str ",
      "%", "@", "\t", "\u{0}", "\u{85}", "日", "id: x", "was: y", "~", "---\n", "...\n",
    ]
    for _ in 0..<3000 {
      let text = (0..<next(14)).map { _ in parts[next(parts.count)] }.joined()
      _ = mistakes(text)
    }
  }
}
