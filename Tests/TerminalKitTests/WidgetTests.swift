import Foundation
import TerminalKit
import TestKit
import Testing
import UILoop

/// One widget alone on a stage.
@UI
private final class Alone: Layer {
  let title = ""
  let widget: any Widget
  init(_ widget: any Widget) { self.widget = widget }
  var commands: [Command] { widget.commands }
  func handle(_ event: InputEvent) -> Bool { widget.handle(event) }
  func draw(in area: Rect, on grid: inout Grid) {
    widget.draw(in: area, on: &grid, isFocused: true)
  }
}

@Suite struct WidgetTests {
  @UI private func harness(columns: Int = 40, rows: Int = 12) -> StageHarness {
    StageHarness(columns: columns, rows: rows)
  }

  @Test @UI func `a field scrolls so that the cursor is always in it`() {
    let harness = harness(columns: 20)
    let field = TextField()
    harness.stage.push(Alone(field))
    harness.type("abcdefghijklmnopqrstuvwxyz")
    #expect(harness.lines[1] == "‹ijklmnopqrstuvwxyz")
    #expect(harness.cursor == Point(column: 19, row: 1))
    harness.press("Home")
    #expect(harness.lines[1] == "abcdefghijklmnopqrs›")
    #expect(harness.cursor == Point(column: 0, row: 1))
    field.text = String(repeating: "札幌", count: 10)
    harness.press("End")
    #expect((harness.cursor?.column ?? 99) < 20)
    #expect(TextWidth.columns(harness.lines[1]) <= 20)
  }

  @Test @UI func `a text area wraps, and up and down go by what is seen`() {
    let harness = harness(columns: 20)
    let area = TextArea("the quick brown fox jumps\nover 札幌", rowsMax: 6)
    harness.stage.push(Alone(area))
    #expect(Array(harness.lines[1...3]) == ["the quick brown fox", "jumps", "over 札幌"])
    harness.press("Down", "Down", "End")
    #expect(harness.cursor == Point(column: 9, row: 3))
    harness.press("Up")
    #expect(harness.cursor == Point(column: 5, row: 2))
    harness.press("Enter")
    #expect(area.text == "the quick brown fox jumps\n\nover 札幌")
    harness.press("C-_")
    #expect(area.text == "the quick brown fox jumps\nover 札幌")
  }

  @Test @UI func `a list of a million rows asks only for those it shows`() {
    @UI final class Source: ListSource {
      var asked: Set<Int> = []
      let count = 1_000_000
      func row(_ index: Int) -> ListRow? {
        asked.insert(index)
        return index % 2 == 0 ? ListRow([ListCell("row \(index)")]) : nil
      }
    }
    let source = Source()
    let list = ListView(columns: [ListColumn("name", "Name")], source: source)
    let harness = harness()
    harness.stage.push(Alone(list))
    harness.press("G")
    #expect(list.selected == 999_999)
    #expect(harness.lines[8] == "  row 999998                           │")
    #expect(harness.lines[9].hasPrefix("  …"))
    #expect(source.asked.count < 40)
  }

  @Test @UI func `headings are passed over, and the first one stays in sight`() {
    let rows: [ListRow] = [
      .section("Fruit"), ListRow(["apple"]), .section("Trees"), ListRow(["oak"]),
    ]
    let list = ListView(columns: [ListColumn("n", "N")], source: ListRows(rows), showsHeader: false)
    let harness = harness()
    list.select(0)
    harness.stage.push(Alone(list))
    #expect(list.selected == 1)
    harness.press("j")
    #expect(list.selected == 3)
    harness.press("k")
    #expect(list.selected == 1)
    #expect(harness.lines[1] == "Fruit")
  }

  @Test @UI func `the mouse selects, opens, scrolls and sorts`() {
    let list = ListView(
      columns: [ListColumn("n", "Name")],
      source: ListRows((0..<100).map { ListRow([ListCell("row \($0)")]) }))
    var opened: [Int] = []
    var sorted: [String] = []
    list.onOpen = { opened.append($0) }
    list.onHeader = { sorted.append($0) }
    let harness = harness()
    harness.stage.push(Alone(list))
    _ = harness.text
    func click(_ column: Int, _ row: Int) {
      harness.stage.dispatch([.mouse(.init(.press, at: Point(column: column, row: row)))])
    }
    click(5, 4)
    #expect(list.selected == 2)
    click(5, 4)
    #expect(opened == [2])
    click(3, 1)
    #expect(sorted == ["n"])
    harness.stage.dispatch([.mouse(.init(.wheelDown, .none, at: Point(column: 5, row: 5)))])
    #expect(list.top == 3)
  }

  @Test @UI func `a form moves between fields, marks changes and says what is wrong`() {
    let harness = harness(columns: 60, rows: 14)
    let name = TextField("Porto")
    let rating = ChoiceInput(
      stage: harness.stage, title: "Rating", options: ["low", "fair", "good"])
    let visited = CheckBox(false)
    let tags = TagsInput(["coast"]) { _ in ["harbour"] }
    let form = Form([
      FormField("name", label: "Name", input: name),
      FormField("rating", label: "Rating", input: rating),
      FormField("visited", label: "Visited", input: visited),
      FormField("tags", label: "Tags", input: tags),
    ])
    var left: [String] = []
    form.onLeave = { left.append($0.id) }
    form.field("name")?.isChanged = true
    form.field("name")?.before = "Oporto"
    form.field("rating")?.message = "Choose one."
    harness.stage.push(Alone(form))
    harness.press("Tab")
    harness.type("g")
    harness.press("Tab", "Space", "Tab")
    harness.type("har")
    harness.press("Tab", "Tab")
    #expect(rating.value == "good")
    #expect(visited.isOn == true)
    #expect(tags.tags == ["coast", "harbour"])
    #expect(left == ["name", "rating", "visited", "tags"])
    #expect(form.focused?.id == "name")
    let lines = harness.lines
    #expect(lines[1].hasPrefix("*Name     Porto"))
    #expect(lines[1].contains("Oporto"))
    #expect(lines[3] == "          ! Choose one.")
    #expect(lines[4] == " Visited  [x]")
  }

  @Test @UI func `a form that is higher than the screen shows the focused field whole`() {
    let harness = harness(columns: 40, rows: 10)
    let fields = (0..<30).map {
      FormField("f\($0)", label: "Field \($0)", input: TextField("\($0)"))
    }
    let form = Form(fields)
    harness.stage.push(Alone(form))
    form.focus("f29")
    #expect(harness.text.contains("Field 29"))
    harness.press("Tab")
    #expect(harness.text.contains("Field 0"))
    harness.resize(columns: 30, rows: 8)
    #expect(harness.text.contains("Field 0"))
  }

  @Test @UI func `a picker narrows by typing and picks once`() {
    let harness = harness(columns: 60, rows: 16)
    var picked: [String?] = []
    let items = ["札幌", "Porto", "Lisboa"].map { PickerItem(id: $0, title: $0) }
    harness.stage.push(Alone(TextField()))
    harness.stage.push(
      Picker(stage: harness.stage, title: "Place", items: items, allowsNone: true) {
        picked.append($0?.id)
      })
    harness.type("por")
    harness.press("Enter")
    #expect(picked == ["Porto"])
    #expect(harness.stage.layers.count == 1)
  }

  @Test @UI func `a prompt completes, complains, and takes only what is right`() {
    let harness = harness(columns: 60, rows: 16)
    var entered: [String] = []
    let prompt = Prompt(stage: harness.stage, title: "File") { entered.append($0) }
    prompt.check = { $0.hasSuffix("/") ? "A folder can't be attached." : nil }
    prompt.completions = { text in ["/tmp/", "/tmp/photo.png"].filter { $0.hasPrefix(text) } }
    harness.stage.push(Alone(TextField()))
    harness.stage.push(prompt)
    harness.type("/t")
    let offered = harness.press("Tab")
    #expect(offered.contains("/tmp/photo.png"))
    #expect(offered.contains("A folder can't be attached."))
    harness.press("Enter")
    #expect(entered == [])
    harness.type("p")
    harness.press("Tab", "Enter")
    #expect(entered == ["/tmp/photo.png"])
    #expect(harness.stage.layers.count == 1)
  }

  @Test @UI func `a menu runs an entry by its key, and says why one can't be`() {
    let harness = harness(columns: 60, rows: 16)
    var ran: [String] = []
    let entries = [
      Command("a", "Add", keys: ["a"]) { ran.append("a") },
      Command("d", "Delete", keys: ["d"], whyNot: { "Nothing is selected." }) { ran.append("d") },
    ]
    harness.stage.push(Alone(TextField()))
    harness.stage.push(Menu(stage: harness.stage, title: "Record", entries: entries))
    #expect(harness.text.contains("Nothing is selected."))
    harness.press("a")
    #expect(ran == ["a"])
    harness.stage.push(Menu(stage: harness.stage, title: "Record", entries: entries))
    #expect(harness.press("Down", "Enter").contains("Nothing is selected."))
    #expect(ran == ["a"])
  }

  @Test @UI
  func `Space ticks a box that is empty or has no value, and Delete takes the value away`() {
    let box = CheckBox(nil, placeholder: "no value", allowsNone: true)
    let harness = harness()
    harness.stage.push(Alone(box))
    for expected in [true, false, true] {
      harness.press("Space")
      #expect(box.isOn == expected)
    }
    harness.press("Del")
    #expect(box.isOn == nil)
    #expect(harness.lines[1] == "[-] no value")
  }

  @Test @UI func `a column keeps the width that a person gave it`() {
    let list = ListView(
      columns: [ListColumn("a", "A"), ListColumn("b", "B")],
      source: ListRows([ListRow(["one", "two"])]))
    let harness = harness()
    harness.stage.push(Alone(list))
    #expect(harness.lines[2] == "  one                 two")
    list.widen("a", by: -10)
    #expect(harness.lines[2] == "  one       two")
  }

  @Test @UI func `a very long line is shown at its end`() {
    let area = TextArea(rowsMax: 6)
    let harness = harness()
    harness.stage.push(Alone(area))
    harness.paste(String(repeating: "word ", count: 40_000) + "end\n札")
    #expect(harness.cursor == Point(column: 2, row: 9))
    #expect(harness.lines[8].hasSuffix("end"))
    harness.press("Up", "Home", "C-Home")
    #expect(harness.cursor == Point(column: 0, row: 1))
  }

  @Test @UI func `too long a paste is cut with a word about it`() {
    let field = TextField("ab", charactersMax: 5)
    var cuts: [Int] = []
    field.onCut = { cuts.append($0) }
    let harness = harness()
    harness.stage.push(Alone(field))
    harness.paste("12345")
    harness.type("x")
    #expect(field.text == "ab123")
    #expect(cuts == [2, 1])
  }

  @Test @UI func `a date is stepped by days, weeks and months`() {
    let harness = harness()
    let today = CalendarDay("2026-11-21")
    let date = DateInput(stage: harness.stage) { today ?? CalendarDay.epoch }
    harness.stage.push(Alone(date))
    harness.press("C-t")
    #expect(date.text == "2026-11-21")
    #expect(harness.text.contains("Sat"))
    harness.press("A-Up", "PgUp")
    #expect(date.text == "2026-11-29")
    date.text = "2024-01-31"
    harness.press("A-PgUp")
    #expect(date.text == "2024-02-29")
    date.text = ""
    harness.type("today+7d")
    #expect(date.text == "today+7d")
  }

  @Test func `days are counted as the calendar has them`() {
    #expect(CalendarDay("1970-01-01")?.number == 0)
    #expect(CalendarDay("2000-03-01")?.number == 11_017)
    #expect(CalendarDay("2026-02-29") == nil)
    #expect(CalendarDay("2026-2-09") == nil)
    for number in stride(from: -719_162, through: 2_932_896, by: 997) {
      #expect(CalendarDay(number: number)?.number == number)
    }
    #expect(CalendarDay(number: 2_932_896)?.text == "9999-12-31")
    #expect(CalendarDay(number: -719_162)?.text == "0001-01-01")
  }

  @Test func `differing words are found, in scripts without blanks too`() {
    let parts = TextDiff.parts(of: "the quick fox", against: "the slow fox")
    #expect(parts.filter(\.isDifferent).map(\.text) == ["quick"])
    let japanese = TextDiff.parts(of: "札幌市北区", against: "札幌市南区")
    #expect(japanese.filter(\.isDifferent).map(\.text) == ["北"])
    #expect(TextDiff.parts(of: "same", against: "same").contains(where: \.isDifferent) == false)
  }

  @Test func `sparklines and bars say no more than is true`() {
    #expect(Sparkline.text([0, 1, 8, 4], columns: 6) == "   .#=")
    #expect(Sparkline.text([], columns: 3) == "   ")
    #expect(ProgressBar.text(0.999, columns: 18) == "[######### ]  99 %")
    #expect(ProgressBar.text(1, columns: 18) == "[##########] 100 %")
  }

  @Test @UI func `a text is edited outside, and only a real change comes back`() async {
    let harness = harness()
    harness.driver.program = { arguments in
      #expect(arguments.dropLast() == ["/bin/sh", "-c", "vi -n 'x y' \"$1\"", "sh"])
      return 0
    }
    let editor = TextEditor(in: ["EDITOR": "vi -n 'x y'"])
    let same = await harness.stage.editOutside("text", editor: editor, folder: "/tmp")
    #expect(same == .unchanged)
    harness.driver.program = { _ in 1 }
    let failed = await harness.stage.editOutside("text", editor: editor, folder: "/tmp")
    #expect(failed == .failed(status: 1, kept: nil))
    harness.driver.program = { arguments in
      _ = FileManager.default.createFile(atPath: arguments[4], contents: Data("half a".utf8))
      return 1
    }
    let half = await harness.stage.editOutside("text", editor: editor, folder: "/tmp")
    guard case .failed(1, let kept?) = half else {
      Issue.record("\(half)")
      return
    }
    #expect(FileManager.default.contents(atPath: kept) == Data("half a".utf8))
    try? FileManager.default.removeItem(atPath: kept)
    for answer in [nil, 127] {
      harness.driver.program = { _ in answer }
      let missing = await harness.stage.editOutside("text", editor: editor, folder: "/tmp")
      #expect(missing == .noEditor("vi -n 'x y'"))
    }
    let nowhere = await harness.stage.editOutside("text", editor: editor, folder: "/no/such/folder")
    #expect(nowhere == .noFile)
  }
}
