// A tiny program on the real terminal driver, for tests in a pseudo-terminal: a list, a field, and
// commands that end it in every way there is.

import CursesDriver
import Glibc
import TerminalKit
import UILoop

@UI
final class ProbeScreen: Layer {
  private var hasComplained = false
  let title = "Probe"
  let stage: Stage
  let list: ListView
  let field = TextField(placeholder: "type here")
  var isTyping = false
  var quit: @UI () -> Void = {}

  init(stage: Stage) {
    self.stage = stage
    let titles = [
      "plain", "札幌市", "e\u{301}cole", "family 👨‍👩‍👧‍👦 here", "evil \u{202E}gnp.exe", "esc \u{1B}[31mred",
    ]
    let rows = (0..<500).map { index in
      ListRow([ListCell(titles[index % titles.count]), ListCell("\(index)")])
    }
    list = ListView(
      columns: [
        ListColumn("name", "Name"),
        ListColumn("number", "Number", alignment: .trailing, width: .fixed(8)),
      ], source: ListRows(rows))
  }

  var commands: [Command] {
    list.commands + [
      Command("probe.type", "Type", keys: ["/"], prominence: 9) { [weak self] in
        self?.isTyping = true
      },
      Command("probe.copy", "Copy", keys: ["y"], prominence: 8) { [weak self] in
        self?.stage.driver.copy("copied")
      },
      Command("probe.edit", "Edit", keys: ["E"], prominence: 7) { [weak self] in
        guard let self else { return }
        Task { @UI in
          let status = await self.stage.driver.runOnTerminal(["sh", "-c", "echo editing; read x"])
          self.stage.say("editor ended with \(status.map(String.init) ?? "nothing")")
        }
      },
      Command("probe.trap", "Trap", keys: ["T"]) { fatalError("the probe was told to trap") },
      Command("probe.fault", "Fault", keys: ["F"]) { raise(SIGSEGV) },
      Command("probe.quit", "Quit", keys: ["q"], prominence: 1) { [weak self] in self?.quit() },
    ]
  }

  func handle(_ event: InputEvent) -> Bool {
    guard isTyping else { return list.handle(event) }
    if case .key(.escape) = event {
      isTyping = false
      return true
    }
    return field.handle(event)
  }

  func draw(in area: Rect, on grid: inout Grid) {
    // Before the first frame is seen, so that whoever waits for it knows that the note was written.
    if !hasComplained { complain("a note on standard error\n") }
    hasComplained = true
    var area = area
    let line = area.takeRows(1)
    list.draw(in: area, on: &grid, isFocused: !isTyping)
    field.draw(in: line, on: &grid, isFocused: isTyping)
  }
}

func complain(_ text: String) {
  _ = text.withCString { write(2, $0, strlen($0)) }
}

@UI
func runProbe(environment: [String: String]) async -> Int32 {
  do {
    let driver = try CursesDriver(environment: environment)
    let stage = Stage(driver: driver)
    let screen = ProbeScreen(stage: stage)
    stage.pulse = { StyledText("up \(stage.counts.frames == 0 ? 0 : 1)", .dim) }
    screen.quit = { driver.finish() }
    stage.push(screen)
    let ending = await driver.run(stage)
    driver.close()
    return switch ending {
    case nil: 0
    case .signal(let number): 128 + number
    case .hangUp: 129
    }
  } catch {
    complain("refused: \(error)\n")
    return 2
  }
}

var environment: [String: String] = [:]
for name in ["TERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE"] {
  if let value = getenv(name) { environment[name] = String(cString: value) }
}
let given = environment
exit(try UILoop.shared.run { @UI in await runProbe(environment: given) })
