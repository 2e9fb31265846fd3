// Setting sync up: a small form. Nothing is written into the library before the service answered.
// UI actor.

internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

@UI
final class SyncSetupScreen: DeskLayer {
  let desk: Desk
  private let address: TextField
  private let zone: TextField
  private let container: TextField
  private let tokenFile: TextField
  private let form: Form
  private var following: Following?
  private var isDone = false
  private var work: Task<Void, Never>?

  init(desk: Desk, defaults: SyncSetupRequest) {
    self.desk = desk
    let words = desk.words
    address = TextField(defaults.address, placeholder: "file:/path  http://host:7373")
    zone = TextField(defaults.zone)
    container = TextField(defaults.container)
    tokenFile = TextField("", placeholder: words.tokenFileHint)
    let fields = [
      FormField("address", label: words.serviceAddress, input: address),
      FormField("tokens", label: words.tokenFile, input: tokenFile),
      FormField("zone", label: words.zone, input: zone),
      FormField("container", label: words.container, input: container),
    ]
    fields[0].isRequired = true
    fields[1].note = words.tokenFileNote
    form = Form(fields)
    form.onFinish = { [unowned self] in connect() }
    following = desk.stage.follow { [sync = desk.sync] in
      _ = (sync.state.isSettingUp, sync.state.signInPage)
    }
  }

  var title: String { words.setUpTitle }
  var statusLine: StyledText {
    desk.sync.state.isSettingUp ? StyledText(words.connecting, Style(.accent)) : StyledText()
  }

  private func connect() {
    guard !desk.sync.state.isSettingUp, !isDone else { return }
    form.finishTyping()
    for (field, input) in [("address", address), ("zone", zone), ("container", container)] {
      form.field(field)?.message = input.text.isEmpty ? words.mustNotBeEmpty : ""
    }
    guard !form.focusFirstMistake() else { return stage.invalidate() }
    let tokens = tokenFile.text
    let request = SyncSetupRequest(
      address: address.text, container: container.text, zone: zone.text,
      tokenFile: tokens.isEmpty ? "" : FilePaths.absolute(tokens))
    begin(request)
  }

  private func begin(_ request: SyncSetupRequest) {
    work = Task { @UI [weak self, sync = desk.sync] in
      let result = await sync.setUp(request)
      guard let self else { return }
      switch result {
      case .failed: break
      case .asks(let change): ask(change, request)
      case .done:
        isDone = true
        stage.close(self)
      }
    }
  }

  /// Nothing was changed yet: the records would leave for another account or zone.
  private func ask(_ change: ServiceChange, _ request: SyncSetupRequest) {
    stage.ask(
      words.otherAccountTitle, words.explained(change),
      buttons: [
        .init(words.sendThere(change.records), key: "s", isDangerous: true),
        .init(words.cancel, key: "c"),
      ], focused: 1, tone: .warning
    ) { [weak self] answer in
      guard answer == 0 else { return }
      var wanted = request
      wanted.isWanted = true
      self?.begin(wanted)
    }
  }

  private func cancel() {
    work?.cancel()
    stage.close(self)
  }

  private func complete() -> Bool {
    guard form.focused?.id == "tokens" else { return false }
    let found = FilePaths.completions(of: tokenFile.text)
    guard let first = found.first else { return false }
    let common = found.dropFirst().reduce(first) { text, next in
      String(zip(text, next).prefix { $0 == $1 }.map(\.0))
    }
    guard common.count > tokenFile.text.count else { return false }
    tokenFile.text = common
    return true
  }

  var commands: [Command] {
    form.commands + [
      command("setup.save", unless: { $0.desk.sync.state.isSettingUp ? $0.words.connecting : nil })
      { $0.connect() },
      command(
        "setup.copy",
        unless: { $0.desk.sync.state.signInPage == nil ? $0.words.noPageYet : nil }
      ) { screen in
        if let page = screen.desk.sync.state.signInPage { screen.desk.copy(page, screen.title) }
      },
      command("setup.cancel") { $0.cancel() },
    ]
  }

  func handle(_ event: InputEvent) -> Bool {
    if case .key(.tab) = event, complete() { return true }
    return form.handle(event)
  }

  func draw(in area: Rect, on grid: inout Grid) {
    var rest = area.inset(columns: 1)
    if let page = desk.sync.state.signInPage {
      // The address whole and first: it has to be read, or marked with the mouse.
      for line in Wrapping.lines(of: words.signInHere, columns: max(1, rest.columns)) {
        grid.put(line, in: rest.takeRows(1), Style(.accent))
      }
      var address = Substring(page)
      while !address.isEmpty, rest.rows > 4 {
        grid.put(String(address.prefix(rest.columns)), in: rest.takeRows(1), .text)
        address = address.dropFirst(rest.columns)
      }
      _ = rest.takeRows(1)
    } else if area.rows >= 8 {
      let lines = Wrapping.lines(of: words.setUpFormExplained, columns: max(1, rest.columns))
      for line in lines.prefix(max(0, area.rows - 6)) {
        grid.put(line, in: rest.takeRows(1), .dim)
      }
      _ = rest.takeRows(1)
    }
    form.draw(in: rest, on: &grid, isFocused: true)
  }
}

extension Desk {
  func openSyncSetup() {
    guard let defaults = sync.setupDefaults else { return say(words.noServicesHere, .warning) }
    stage.push(SyncSetupScreen(desk: self, defaults: defaults))
  }
}
