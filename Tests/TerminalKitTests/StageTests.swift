import Observation
import TerminalKit
import TestKit
import Testing
import UILoop

/// A list and a field, as small as a screen can be.
@UI
private final class FruitScreen: Layer {
  let title = "Fruit"
  let stage: Stage
  let list: ListView
  let field = TextField(placeholder: "filter")
  var isTyping = false
  var opened: [Int] = []

  init(stage: Stage) {
    self.stage = stage
    let rows = ["apple", "banana", "桃", "date"].map { ListRow([ListCell($0), ListCell("1")]) }
    list = ListView(
      columns: [
        ListColumn("name", "Name"),
        ListColumn("count", "Count", alignment: .trailing, width: .fixed(6)),
      ], source: ListRows(rows))
    list.onOpen = { [unowned self] in opened.append($0) }
  }

  var commands: [Command] {
    list.commands + [
      Command("fruit.filter", "Filter", keys: ["/"], prominence: 5) { [weak self] in
        self?.isTyping = true
      },
      Command(
        "fruit.delete", "Delete", keys: ["d d"], prominence: 4, whyNot: { "Fruit is forever." }
      ) {},
    ]
  }

  func handle(_ event: InputEvent) -> Bool {
    if isTyping, case .key(.escape) = event {
      isTyping = false
      return true
    }
    return isTyping ? field.handle(event) : list.handle(event)
  }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    let line = area.takeRows(1)
    list.draw(in: area, on: &grid, isFocused: !isTyping)
    field.draw(in: line, on: &grid, isFocused: isTyping)
  }
}

/// A screen whose rows come late.
@UI
private final class LateScreen: Layer {
  let title = "Late"
  var isReady = false
  var pressed: [String] = []

  var commands: [Command] {
    ["a", "b", "Esc"].map { key in
      Command("late." + key, key, keys: [key]) { [weak self] in self?.pressed.append(key) }
    }
  }

  func draw(in area: Rect, on grid: inout Grid) {}
}

@UI @Observable private final class Counter {
  var value = 0
  var unread = 0
}

@Suite struct StageTests {
  @Test @UI func `a followed model redraws when what was read changes, until it is let go`() async {
    let harness = StageHarness()
    harness.stage.push(FruitScreen(stage: harness.stage))
    harness.timers.advance(by: .seconds(1))
    let counter = Counter()
    var following: Following? = harness.stage.follow { _ = counter.value }
    let before = harness.driver.presentations
    for step in 1...3 {
      counter.value += 1
      #expect(await eventually { harness.timers.pendingCount == 1 })
      harness.timers.advance(by: .milliseconds(20))
      #expect(harness.driver.presentations == before + step)
    }
    counter.unread += 1
    await UILoop.shared.untilIdle()
    #expect(harness.timers.pendingCount == 0)
    following = nil
    counter.value += 1
    await UILoop.shared.untilIdle()
    #expect(harness.timers.pendingCount == 0)
    #expect(following == nil)
  }

  @Test @UI func `a frame that changes nothing keeps none waiting`() {
    let harness = StageHarness()
    harness.stage.push(FruitScreen(stage: harness.stage))
    harness.settle()
    harness.timers.advance(by: .seconds(1))
    // Nothing looks different: no time is lost with it.
    harness.stage.invalidate()
    harness.timers.advance(by: .zero)
    let before = harness.driver.presentations
    harness.stage.say("The first rows are there.")
    harness.timers.advance(by: .zero)
    #expect(harness.driver.presentations == before + 1)
    // After a rest a second one comes at once; the next waits its turn.
    harness.stage.say("More rows.")
    harness.timers.advance(by: .zero)
    #expect(harness.driver.presentations == before + 2)
    harness.stage.say("All rows.")
    harness.timers.advance(by: .zero)
    #expect(harness.driver.presentations == before + 2)
    harness.timers.advance(by: Stage.backgroundPace)
    #expect(harness.driver.presentations == before + 3)
    // However many that change nothing: they are drawn as seldom, but for the first.
    harness.timers.advance(by: .seconds(1))
    for _ in 0..<10 {
      harness.stage.invalidate()
      harness.timers.advance(by: .milliseconds(1))
    }
    #expect(harness.driver.presentations == before + 6)
  }

  @Test @UI func `a person's own key replaces a default, and wins where two want it`() throws {
    let harness = StageHarness(columns: 40, rows: 12)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    try harness.stage.keyMap.bind("fruit.filter", to: ["j", "C-x f"])
    #expect(harness.press("j").contains("j Filter"))
    #expect(screen.isTyping)
    harness.press("Esc", "C-x f")
    #expect(screen.isTyping)
    harness.press("Esc", "/")
    #expect(!screen.isTyping)
    #expect(throws: KeyMap.Mistake.unknownKey(command: "x", name: "Nope")) {
      try harness.stage.keyMap.bind("x", to: ["Nope"])
    }
  }

  @Test @UI func `a screen has a breadcrumb, a status line and a key bar made from its commands`() {
    let harness = StageHarness(columns: 40, rows: 12)
    harness.stage.pulse = { StyledText("idle") }
    harness.stage.push(FruitScreen(stage: harness.stage))
    #expect(
      harness.text == """
         Fruit
        filter
          Name                             Count
          apple                                1
          banana                               1
          桃                                   1
          date                                 1



                                           idle
         ? Help  / Filter  d d Delete
        """)
    #expect(harness.cursor == Point(column: 0, row: 3))
  }

  @Test @UI func `keys move the selection and the real cursor with it`() {
    let harness = StageHarness(columns: 40, rows: 12)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.press("j", "Down")
    #expect(screen.list.selected == 2)
    #expect(harness.cursor == Point(column: 0, row: 5))
    harness.press("G")
    #expect(screen.list.selected == 3)
    harness.press("g g", "Enter")
    #expect(screen.opened == [0])
  }

  @Test @UI func `a command that can't be done says why`() {
    let harness = StageHarness(columns: 40, rows: 12)
    harness.stage.push(FruitScreen(stage: harness.stage))
    let halfway = harness.press("d")
    #expect(halfway.contains("After d"))
    let after = harness.press("d")
    #expect(after.contains("Fruit is forever."))
    #expect(harness.driver.bells == 1)
  }

  @Test @UI func `typed letters go to the focused field, not to commands`() {
    let harness = StageHarness(columns: 40, rows: 12)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.press("/")
    harness.type("jj/?")
    #expect(screen.field.text == "jj/?")
    #expect(screen.list.selected == 0)
    #expect(harness.driver.grid.isCursorVisible)
    harness.press("Esc", "j")
    #expect(screen.list.selected == 1)
  }

  @Test @UI func `background changes are drawn at most every 16 ms, keys at once`() {
    let harness = StageHarness()
    harness.stage.push(FruitScreen(stage: harness.stage))
    harness.timers.advance(by: .milliseconds(100))
    let before = harness.driver.presentations
    for number in 0..<1000 { harness.stage.say("\(number)") }
    harness.timers.advance(by: .milliseconds(1))
    #expect(harness.driver.presentations == before + 1)
    // After a rest one more comes at once.
    for number in 0..<10 {
      harness.stage.say("and \(number)")
      harness.timers.advance(by: .milliseconds(1))
    }
    #expect(harness.driver.presentations == before + 2)
    harness.timers.advance(by: .milliseconds(16))
    #expect(harness.driver.presentations == before + 3)
    // A burst on its own: the pace holds on the whole.
    for number in 0..<160 {
      harness.stage.say("still \(number)")
      harness.timers.advance(by: .milliseconds(1))
    }
    #expect((12...14).contains(harness.driver.presentations - before))
    harness.timers.advance(by: .milliseconds(16))
    let settled = harness.driver.presentations
    harness.stage.dispatch([.key("j")])
    #expect(harness.driver.presentations == settled + 1)
    #expect(harness.timers.pendingCount == 0)
  }

  @Test @UI func `a lone Esc is a key after the time-out, an arrow in two parts is an arrow`() {
    let harness = StageHarness()
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.press("/")
    harness.stage.receive([0x1B])
    #expect(screen.isTyping)
    harness.timers.advance(by: .milliseconds(60))
    #expect(!screen.isTyping)
    harness.stage.receive([0x1B])
    harness.timers.advance(by: .milliseconds(20))
    harness.stage.receive(Array("[B".utf8))
    #expect(screen.list.selected == 1)
    harness.timers.advance(by: .seconds(1))
    #expect(harness.timers.pendingCount == 0)
  }

  @Test @UI func `the palette finds a command by a few letters and runs it`() {
    let harness = StageHarness()
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.press(":")
    harness.type("filt")
    harness.press("Enter")
    #expect(screen.isTyping)
    #expect(harness.stage.top === screen)
  }

  @Test @UI func `help lists what can be done here, finds it by typing, and runs it`() {
    let harness = StageHarness(columns: 100, rows: 14)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    let help = harness.press("?")
    #expect(help.contains("Filter"))
    #expect(help.contains("Down, j"))
    harness.type("susp")
    #expect(harness.text.contains("Stops the program and gives the terminal back"))
    harness.press("Enter")
    #expect(harness.driver.suspensions == 1)
    #expect(harness.stage.top === screen)
    harness.press("F1")
    #expect(harness.type("delete").contains("Fruit is forever."))
  }

  @Test @UI func `a terminal that is too small shows one sentence and keeps the state`() {
    let harness = StageHarness(columns: 40, rows: 12)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.press("j")
    harness.resize(columns: 12, rows: 3)
    #expect(harness.lines[0] == "need 20x6, …")
    harness.resize(columns: 1, rows: 1)
    harness.resize(columns: 40, rows: 12)
    #expect(screen.list.selected == 1)
    #expect(harness.text.contains("banana"))
  }

  @Test @UI func `a dialog answers once, and the layers beneath stay visible`() async {
    let harness = StageHarness()
    harness.stage.push(FruitScreen(stage: harness.stage))
    var answers: [Int?] = []
    harness.stage.ask(
      "Delete", "Delete 3 records?", buttons: [.init("Cancel"), .init("Delete", key: "d")]
    ) { answers.append($0) }
    let text = harness.text
    #expect(text.contains("Delete 3 records?"))
    #expect(text.contains("apple"))
    harness.press("d")
    #expect(answers == [1])
    #expect(harness.stage.layers.count == 1)
  }

  @Test @UI func `a message that is too long takes the lines above, and is kept to be read again`()
  {
    let harness = StageHarness(columns: 40, rows: 12)
    let screen = FruitScreen(stage: harness.stage)
    harness.stage.push(screen)
    harness.stage.say("Too full.", .warning)
    harness.stage.say(
      "The library's file could not be used (11: database disk image is malformed). Nothing was lost; "
        + "try again.", .error)
    let lines = harness.lines
    #expect(
      Array(lines[7...10]) == [
        " The library's file could not be used", " (11: database disk image is",
        " malformed). Nothing was lost; try", " again.",
      ])
    #expect(lines[11].hasPrefix(" ? Help"))
    #expect(harness.cursor == Point(column: 0, row: 3))
    #expect(!harness.press("j").contains("malformed"))
    harness.timers.advance(by: .seconds(90))
    let log = harness.press("!")
    #expect(log.contains("1 min ago"))
    #expect(log.contains("malformed). Nothing was lost; try"))
    #expect(log.contains("Too full."))
    harness.press("q")
    #expect(harness.stage.top === screen)
  }

  @Test @UI func `a key that does nothing says so`() {
    let harness = StageHarness()
    harness.stage.push(FruitScreen(stage: harness.stage))
    #expect(harness.press("x").contains("x does nothing here"))
    #expect(harness.press("C-c").contains("C-c ends nothing here: q leaves"))
    #expect(harness.press("!").contains("x does nothing here"))
    harness.press("Esc")
    harness.stage.ask("Sure?", "", buttons: [.init("Yes", key: "y")]) { _ in }
    #expect(harness.press("n").contains("n does nothing here"))
  }

  @Test @UI func `keys typed ahead wait until the screen is ready, but Esc does not`() {
    let harness = StageHarness()
    let screen = LateScreen()
    harness.stage.push(screen)
    harness.press("a", "b", "Esc")
    #expect(screen.pressed == ["Esc"])
    screen.isReady = true
    #expect(!harness.text.contains("does nothing"))
    #expect(screen.pressed == ["Esc", "a", "b"])
  }

  @Test(arguments: [(80, 24), (40, 12)]) @UI
  func `no sentence of the help is cut`(size: (Int, Int)) {
    let harness = StageHarness(columns: size.0, rows: size.1)
    harness.stage.push(FruitScreen(stage: harness.stage))
    harness.press("?")
    harness.type("terminal back")
    let sentence = "Stops the program and gives the terminal back to the shell; fg resumes."
    let words = harness.text.split { $0.isWhitespace }.joined(separator: " ")
    for word in sentence.split(separator: " ") { #expect(words.contains(word)) }
    #expect(!harness.text.contains("…"))
    harness.press("Enter")
    #expect(harness.stage.layers.count == 1)
  }
}
