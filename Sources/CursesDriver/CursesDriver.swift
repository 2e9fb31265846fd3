// The real terminal: takes it, gives it back (at the end, for a stop, for an editor, after a
// crash), reads its bytes and the program's signals, sends one write a frame. UI actor. Signals,
// standard error and curses are process-wide: one driver at a time.

internal import CPlatform
package import TerminalKit
package import UILoop

/// The program's terminal as a driver of a stage.
@UI
package final class CursesDriver: TerminalDriver {
  /// What ends the interface from outside.
  package enum Ending: Equatable, Sendable {
    /// TERM, HUP, INT or QUIT.
    case signal(Int32)
    /// The terminal is gone.
    case hangUp
  }

  private let screen: CursesScreen
  private let input: Int32
  private let output: Int32
  private let errors: ErrorCapture
  private var signalPipe: Int32 = -1
  private var waits: [LoopWait] = []
  private var inputWait: LoopWait?
  private weak var stage: Stage?
  private var onEnding: @UI (Ending) -> Void = { _ in }
  private var running: CheckedContinuation<Ending?, Never>?
  /// Whether the screen is ours now, not the shell's or an editor's.
  private var isOnScreen = false
  /// Whether it ever was.
  private var wasOnScreen = false
  private var isLent = false
  private var isClosed = false
  /// Whether answers to our questions may still come.
  private var awaitsAnswers = false
  private let asksQuestions: Bool
  /// Called when the terminal has told whether it is light or dark.
  ///
  /// Many never do.
  package var onBackground: @UI (TerminalBackground) -> Void = { _ in }
  /// Writes so far; one for each frame.
  package private(set) var writes = 0

  /// Takes the terminal on standard input and output.
  ///
  /// Nothing has been written to it when this throws. `environment` gives TERM, NO_COLOR and the locale's
  /// names.
  package init(environment: [String: String], input: Int32 = 0, output: Int32 = 1)
    throws(TerminalRefusal)
  {
    self.input = input
    self.output = output
    guard platform_is_terminal(input) == 1, platform_is_terminal(output) == 1 else {
      throw .notATerminal
    }
    guard let name = environment["TERM"], !name.isEmpty else { throw .noName }
    let isUnicode = TerminalLocale.adopt(environment: environment)
    // The kernel's console would print the question.
    asksQuestions = name != "linux" && name.hasPrefix("vt") == false
    platform_terminal_save(input)
    // Before curses, which then leaves these alone.
    signalPipe = platform_signals_watch()
    guard signalPipe >= 0 else { throw .noDescriptor }
    do {
      screen = try CursesScreen(
        terminal: name, input: input, size: Self.windowSize(output),
        usesColour: environment["NO_COLOR", default: ""].isEmpty, isUnicode: isUnicode)
    } catch {
      platform_signals_release()
      platform_terminal_restore(input)
      throw error
    }
    errors = ErrorCapture()
  }

  package var colours: Int { screen.colours }

  private static func windowSize(_ descriptor: Int32) -> Size {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard platform_window_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(columns), rows: Int(rows))
  }

  package var size: Size { Self.windowSize(output) }

  // MARK: Beginning and end

  /// Shows the stage until ``finish()`` is called (then nil), or until something outside ends it.
  ///
  /// The screen is still taken when this returns: save what must be saved, then ``close()``.
  package func run(_ stage: Stage) async -> Ending? {
    await withCheckedContinuation { continuation in
      running = continuation
      start(stage) { [weak self] in self?.end($0) }
    }
  }

  /// Lets ``run(_:)`` return.
  ///
  /// Further calls do nothing.
  package func finish() { end(nil) }

  private func end(_ ending: Ending?) {
    let waiting = running
    running = nil
    waiting?.resume(returning: ending)
  }

  /// Takes the screen, and gives the stage what is typed and when the window changes.
  package func start(_ stage: Stage, onEnding: @escaping @UI (Ending) -> Void) {
    self.stage = stage
    self.onEnding = onEnding
    errors.begin()
    let reset = TerminalModes.off + screen.resetSequence
    reset.withUnsafeBytes { bytes in
      _ = platform_crash_arm(
        output, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, errors.log,
        errors.original)
    }
    waits.append(UILoop.shared.whenReadable(signalPipe) { [weak self] in self?.readSignals() })
    takeScreen()
    if asksQuestions {
      stage.onReply = { [weak self] in self?.heard($0) }
      awaitsAnswers = true
      write(TerminalModes.questions)
    }
    stage.drawNow()
  }

  private func heard(_ reply: String) {
    if let background = TerminalBackground(reply: reply) { onBackground(background) }
    if reply.hasPrefix("?"), reply.hasSuffix("c") { awaitsAnswers = false }
  }

  /// Lets an answer that is still on its way arrive here, not at the shell's prompt.
  private func swallowAnswers() {
    guard awaitsAnswers else { return }
    awaitsAnswers = false
    var entry = platform_poll_entry(fd: input, events: PLATFORM_READABLE, ready: 0)
    guard platform_poll(&entry, 1, 100_000_000) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = platform_read(input, &buffer, buffer.count)
  }

  /// Gives the terminal back for good.
  ///
  /// What was written to standard error meanwhile follows.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    if isOnScreen { swallowAnswers() }
    giveScreenBack()
    for wait in waits { wait.cancel() }
    waits = []
    let last = screen.close()
    if wasOnScreen { write(last) }
    platform_terminal_restore(input)
    platform_crash_disarm()
    platform_signals_release()
    errors.end()
  }

  private func takeScreen() {
    platform_terminal_raw(input)
    write(TerminalModes.on)
    isOnScreen = true
    wasOnScreen = true
    inputWait = UILoop.shared.whenReadable(input) { [weak self] in self?.readInput() }
  }

  private func giveScreenBack() {
    guard isOnScreen else { return }
    isOnScreen = false
    inputWait?.cancel()
    inputWait = nil
    write(TerminalModes.off + screen.leave() + screen.roomForPrompt)
    platform_terminal_restore(input)
  }

  // MARK: Driver

  @discardableResult
  package func present(_ grid: Grid, palette: Palette) -> Int {
    guard isOnScreen else { return 0 }
    errors.trim()
    let frame = screen.frame(grid, palette: palette)
    guard !frame.isEmpty else { return 0 }
    let bytes = TerminalModes.frameBegin + frame + TerminalModes.frameEnd
    write(bytes)
    return bytes.count
  }

  package func forgetScreen() { screen.forget() }

  package func ringBell() { write([0x07]) }

  @discardableResult
  package func copy(_ text: String) -> Bool {
    write(TerminalModes.clipboard(text))
    return text.utf8.count <= TerminalModes.clipboardBytesMax
  }

  package func suspendProgram() {
    guard isOnScreen else { return }
    giveScreenBack()
    platform_stop_self()
    takeScreen()
    screen.forget()
  }

  package func runOnTerminal(_ arguments: [String]) async -> Int? {
    guard isOnScreen, !arguments.isEmpty else { return nil }
    giveScreenBack()
    isLent = true
    defer {
      isLent = false
      if !isClosed {
        takeScreen()
        screen.forget()
        stage?.resize()
      }
    }
    return await ChildProgram.run(arguments, input: input, output: output, errors: errors.original)
  }

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let calls = platform_write_all(output, bytes, bytes.count)
    if calls > 0 { writes += Int(calls) }
  }

  // MARK: Input and signals

  private func readInput() {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, Int(platform_read(input, buffer.baseAddress, buffer.count)))
    }
    guard !bytes.isEmpty else {
      inputWait?.cancel()
      return onEnding(.hangUp)
    }
    stage?.receive(bytes)
  }

  private func readSignals() {
    let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(0, Int(platform_read(signalPipe, buffer.baseAddress, buffer.count)))
    }
    // A burst of size changes is one change.
    var isResized = false
    for number in bytes.map({ Int32($0) }) {
      switch Int(number) {
      case PLATFORM_WINCH: isResized = true
      case PLATFORM_CONT:
        if isOnScreen {
          platform_terminal_raw(input)
          write(TerminalModes.on)
          isResized = true
        }
      case PLATFORM_TSTP:
        if isLent {
          platform_stop_alone()
        } else {
          suspendProgram()
          isResized = true
        }
      case PLATFORM_INT, PLATFORM_QUIT:
        // While an editor has the terminal these are meant for it.
        if !isLent { onEnding(.signal(number)) }
      case PLATFORM_TERM, PLATFORM_HUP: onEnding(.signal(number))
      default: break
      }
    }
    if isResized, isOnScreen, !isClosed { stage?.resize() }
  }
}
