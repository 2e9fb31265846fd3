// The interface as the program runs it: the terminal, the stage, the library, and what ends them. The
// screens know none of this. UI actor.

internal import CursesDriver
internal import Glibc
internal import ModelFile
internal import RecordStore
internal import Records
internal import Screens
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The interface on one terminal.
@UI
final class Interface {
  /// Opens the interface on a library, and returns when the person has left it; the library is
  /// closed then.
  ///
  /// - Parameters:
  ///   - opening: Opens the library, while the terminal is looked at.
  ///   - companion: Begun when the first screen is there; cancelled, and waited for, before the
  ///     library is closed.
  nonisolated static func open(
    _ opening: @escaping @Sendable () async throws -> Library,
    companion: (@UI @Sendable (Desk) -> Task<Void, Never>)? = nil
  ) async throws {
    async let opened = opening()
    let interface: Interface
    do {
      interface = try await Interface()
    } catch {
      // Why there is no interface is what the person must know.
      _ = try? await opened.close()
      throw error
    }
    let library: Library
    do {
      library = try await opened
    } catch {
      await interface.driver.close()
      throw error
    }
    let ending = await interface.run(library, companion)
    if case .signal(let number) = ending { endLike(signal: number) }
  }

  private let driver: CursesDriver
  private let stage: Stage
  private let settings: InterfaceSettings
  private let words: Words
  private var switcher: LibrarySwitcher?
  private var desk: Desk?
  private var model: LibraryViewModel?
  private var sync: SyncViewModel?
  private var left: CheckedContinuation<CursesDriver.Ending?, Never>?

  private init() throws {
    settings = InterfaceSettings.read()
    driver = try CursesDriver(environment: Self.environment)
    words = Words(settings.language ?? Words.Language(locale: Self.locale))
    stage = Stage(driver: driver, palette: settings.palette ?? Self.paletteOfBackground)
    stage.keyMap = settings.keyMap
  }

  // MARK: Running

  private func run(
    _ library: Library, _ companion: (@UI @Sendable (Desk) -> Task<Void, Never>)?
  ) async -> CursesDriver.Ending? {
    let model = prepare(library)
    makeSwitcher(path: library.path)
    show(model)
    // The list's first reading begins now, and goes on while the first frame is drawn.
    await Task.yield()
    var accompanying: Task<Void, Never>?
    let ending = await withCheckedContinuation { continuation in
      left = continuation
      driver.start(stage) { [weak self] ending in self?.leave(ending) }
      Task { @UI [weak self, sync] in
        // What a person waits for is read first, and alone.
        await self?.desk?.listOpened()
        await model.start()
        self?.desk?.offerDrafts()
        self?.tellMistakes()
        await sync?.start()
      }
      accompanying = desk.flatMap { companion?($0) }
    }
    driver.close()
    desk?.keepLists()
    accompanying?.cancel()
    await accompanying?.value
    desk = nil
    await sync?.stop()
    await self.model?.close()
    return ending
  }

  private func prepare(_ library: Library) -> LibraryViewModel {
    LibraryViewModel(library: library, time: { .system })
  }

  private func show(_ model: LibraryViewModel) {
    let services = model.library.isReadOnly ? nil : ProgramSyncServices()
    let sync = SyncViewModel(library: model.library, services: services)
    let desk = Desk(stage: stage, library: model, sync: sync, words: words)
    desk.editor = (TextEditor(in: Self.environment), Self.environment["TMPDIR"] ?? "/tmp")
    desk.quit = { [weak self] in self?.leave(nil) }
    desk.switcher = switcher
    desk.replaceLibrary = { [weak self] library in self?.replace(with: library) }
    desk.savePalette = { palette in try InterfaceSettings.save(palette) }
    if let path = model.library.path {
      desk.lists = ListsFile.read(in: path)
      desk.loadLists = { ListsFile.read(in: path) }
      desk.saveLists = { ListsFile.write($0, in: path) }
    }
    self.model = model
    self.sync = sync
    self.desk = desk
    desk.open()
  }

  /// Settings that can't be understood are told once; the others hold.
  private func tellMistakes() {
    if let mistake = settings.mistakes.first { stage.say(mistake.sentence(in: words), .warning) }
  }

  private func leave(_ ending: CursesDriver.Ending?) {
    left?.resume(returning: ending)
    left = nil
  }

  // MARK: Other libraries

  private func makeSwitcher(path: String?) {
    var known = KnownLibraries.read()
    if let path, known.first != path {
      known.removeAll { $0 == path }
      known.insert(path, at: 0)
      KnownLibraries.keep(known)
    }
    switcher = LibrarySwitcher(
      known: known, current: path,
      templates: Template.all.compactMap { template in
        (try? template.model()).map { LibraryTemplate(name: template.name, model: $0) }
      }, surroundings: .system,
      remember: { KnownLibraries.keep($0) })
  }

  /// Takes another library; the one before is closed when nothing looks at it any more.
  private func replace(with library: Library) {
    let before = (model, sync)
    desk?.keepLists()
    let next = prepare(library)
    show(next)
    Task { @UI [weak self, sync] in
      await next.start()
      self?.desk?.offerDrafts()
      await sync?.start()
      await before.1?.stop()
      await before.0?.close()
    }
  }

  // MARK: Surroundings

  /// The few variables that the interface looks at.
  private nonisolated static var environment: [String: String] {
    let names = [
      "TERM", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "COLORFGBG", "VISUAL", "EDITOR", "TMPDIR",
    ]
    return names.reduce(into: [:]) { found, name in found[name] = variable(name) }
  }

  private nonisolated static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The language of messages, as the C library would choose it.
  private static var locale: String {
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variable($0) }.first ?? "C"
  }

  /// Some terminals tell their background: `15;0` is white on black.
  private static var paletteOfBackground: Palette {
    let background = environment["COLORFGBG"]?.split(separator: ";").last
    return background == "7" || background == "15" ? .light : .dark
  }

  /// Ends the process as the signal would have, so that whoever sent it sees that.
  private nonisolated static func endLike(signal number: Int32) -> Never {
    signal(number, SIG_DFL)
    raise(number)
    exit(128 + number)
  }
}
