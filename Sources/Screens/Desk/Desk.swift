// What every screen needs at hand: the stage, the library, the words, the clock. It opens screens, so
// that they need not know each other. UI actor.

package import RecordStore
internal import Records
package import TerminalKit
package import UILoop
package import ViewModels
package import Wording

/// Where a person works: one library on one stage.
@UI
package final class Desk {
  package let stage: Stage
  package let library: LibraryViewModel
  package let sync: SyncViewModel
  package let words: Words
  let values: ValueWords
  /// How lists are arranged in this library, and the saved views.
  package var lists = SavedViews()
  /// Reads what is kept of them now: another session may have saved a view meanwhile.
  package var loadLists: @UI () -> SavedViews? = { nil }
  /// Keeps them for the next session.
  package var saveLists: @UI (SavedViews) -> Void = { _ in }
  /// The plan that was told of last: each is told once.
  var toldPlan: SyncPlan?
  weak var browser: BrowserScreen?
  /// The person's own text editor, and a folder for its files.
  package var editor: (program: TextEditor, folder: String) = (TextEditor("vi"), "/tmp")
  /// Leaves the program.
  package var quit: @UI () -> Void = {}
  /// Knows the other libraries; nothing where only this one may be opened.
  package var switcher: LibrarySwitcher?
  /// Takes an opened library in the place of this one.
  package var replaceLibrary: @UI (Library) -> Void = { _ in }
  /// Keeps the palette for the next session.
  package var savePalette: @UI (Palette) async throws -> Void = { _ in }
  /// Transactions that undid something, newest last: what redo undoes.
  var redoable: [Int64] = []
  /// What is being done that may take long.
  var underWay = Labour()
  private var followings: [Following] = []

  package init(
    stage: Stage, library: LibraryViewModel, sync: SyncViewModel? = nil, words: Words = Words()
  ) {
    self.stage = stage
    self.library = library
    self.sync = sync ?? SyncViewModel(library: library.library, timers: stage.timers)
    self.words = words
    values = ValueWords(words: words, time: library.time)
  }

  /// Puts the first screen on the stage.
  package func open() {
    stage.phrases = words.phrases
    stage.globalCommands = { [weak self] in self?.commands ?? [] }
    stage.pulse = { [weak self] in self?.pulse ?? StyledText() }
    stage.onEmpty = { [weak self] in self?.quit() }
    followings = [
      stage.follow { [unowned self] in noticeLabour() },
      stage.follow { [unowned self] in
        _ = sync.state
        noticeSync()
      },
    ]
    let browser = BrowserScreen(desk: self)
    self.browser = browser
    stage.show(browser)
  }

  /// Returns when the first rows of the list are there, or it is known that there are none.
  package func listOpened() async { await browser?.listPane?.model.opened() }

  /// Keeps how the lists look; at the end, and when another library takes the place of this one.
  package func keepLists() {
    browser?.listPane?.remember()
    changeLists { _ in }
  }

  /// Changes the saved views on top of what other sessions saved, and keeps them.
  func changeLists(_ body: (inout SavedViews) -> Void) {
    var newest = loadLists() ?? lists
    newest.layouts.merge(lists.layouts) { $1 }
    newest.last = lists.last
    body(&newest)
    lists = newest
    saveLists(newest)
  }

  /// What the library is called; one in memory has no name of its own.
  var libraryName: String { library.state.name ?? words.libraryInMemory }
  var model: Model { library.state.model }
  func type(_ id: TypeID) -> RecordType? { model.type(id) }

  /// Why nothing can be written; nothing where it can.
  var whyReadOnly: String? {
    library.library.isReadOnly ? words.store.readOnly(library.library.path ?? libraryName) : nil
  }

  // MARK: Commands

  /// A command of the table, with what it does.
  func command(
    _ id: String, whyNot: @escaping @UI @Sendable () -> String? = { nil },
    run: @escaping @UI @Sendable () -> Void
  ) -> Command {
    let entry = CommandTable.entry(id)
    var whyNot = whyNot
    if let refusal = whyReadOnly, CommandTable.writing.contains(id) { whyNot = { refusal } }
    return Command(
      id, entry.title(in: words), help: entry.help(in: words), keys: entry.keys,
      // The bar has no room for what can't be done; help and palette show it with the reason.
      prominence: whyNot() == nil ? entry.prominence : 0, whyNot: whyNot, run: run)
  }

  // MARK: Saying

  func say(_ text: String, _ tone: Stage.Tone = .plain) { stage.say(text, tone) }

  /// Says why something did not happen.
  func say(_ failure: Failure) { stage.say(words.sentence(for: failure, in: model), .error) }

  /// Copies text to the person's clipboard, and says so.
  func copy(_ text: String, _ what: String) {
    if stage.driver.copy(text) {
      say(words.copied(words.shortened(what)), .success)
    } else {
      say(words.tooLongToCopy, .warning)
    }
  }
}
