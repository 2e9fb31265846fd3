// The stage: owns the layers, routes input to the top one, and draws. A key is drawn at once; what
// happens in the background is drawn every 16 ms at most, but for one frame after a rest, and nothing
// is scheduled while nothing changes. UI actor; it knows no terminal but through its driver.

package import UILoop

/// The layers on a terminal.
@UI
package final class Stage {
  /// Between two frames that no key asked for.
  package static let backgroundPace = Duration.milliseconds(16)

  package struct Counts: Equatable, Sendable {
    package var frames = 0
    package var bytes = 0
    package var events = 0
  }

  package enum Tone: Sendable {
    case plain, success, warning, error

    var role: Role {
      switch self {
      case .plain: .text
      case .success: .success
      case .warning: .warning
      case .error: .error
      }
    }
  }

  /// A message, and when it was said.
  package struct Said: Equatable, Sendable {
    package let text: StyledText
    /// By the stage's timers.
    package let at: Duration
  }

  /// Older messages are forgotten: nobody looks for those.
  package static let saidMax = 100

  package let driver: any TerminalDriver
  package let timers: any UITimers
  package var palette: Palette { didSet { invalidateAll() } }
  package var phrases: Phrases { didSet { invalidate() } }
  package var keyMap = KeyMap() { didSet { invalidate() } }
  /// Commands that work on every screen, after the screen's own.
  package var globalCommands: @UI () -> [Command] = { [] }
  /// The right end of the status line, always there: the state of the sync.
  package var pulse: @UI () -> StyledText = { StyledText() }
  /// Below this nothing but a sentence is drawn; the state is kept.
  package var sizeMin = Size(columns: 20, rows: 6)
  /// Called when the last layer was closed.
  package var onEmpty: @UI () -> Void = {}
  /// Called with each answer of the terminal to a question of the driver's.
  package var onReply: @UI (String) -> Void = { _ in }
  package private(set) var layers: [any Layer] = []
  package private(set) var message: StyledText?
  /// What was said, the oldest first, as far as it is kept.
  package private(set) var said: [Said] = []
  package private(set) var counts = Counts()
  /// The keys of an unfinished sequence.
  package internal(set) var prefix: [Key] = []

  /// Keys typed at a layer that was not ready for them.
  var held: [Key] = []
  var parser = InputParser()
  var parserDeadline: LoopWait?
  var barAreas: [(area: Rect, command: Command)] = []
  /// The frame before the last.
  ///
  /// The driver may keep the last one: drawing into that would copy it.
  private var spare: Grid
  private var shown: Grid
  private var scheduledFrame: LoopWait?
  /// The background frames so far are as many as the pace allows until then.
  private var pacedUntil = Duration.zero
  private var wasFrameEmpty = false

  package init(
    driver: any TerminalDriver, timers: any UITimers = UILoop.shared, palette: Palette = .dark,
    phrases: Phrases = Phrases()
  ) {
    self.driver = driver
    self.timers = timers
    self.palette = palette
    self.phrases = phrases
    spare = Grid(columns: driver.size.columns, rows: driver.size.rows)
    shown = spare
  }

  // MARK: Layers

  package var top: (any Layer)? { layers.last }

  package func push(_ layer: any Layer) {
    layers.append(layer)
    prefix = []
    invalidate()
  }

  /// Takes the layer off the stack, with all that lie on it.
  ///
  /// Nothing happens if it is not there.
  package func close(_ layer: any Layer) {
    guard let index = layers.firstIndex(where: { $0 === layer }) else { return }
    layers.removeSubrange(index...)
    prefix = []
    held = []
    invalidate()
    if layers.isEmpty { onEmpty() }
  }

  /// Puts a layer in the place of all that are there.
  package func show(_ layer: any Layer) {
    layers = [layer]
    prefix = []
    held = []
    invalidate()
  }

  // MARK: Messages

  /// Says something on the status line, until the next key; what is too long for it takes the lines above.
  package func say(_ text: String, _ tone: Tone = .plain) {
    say(StyledText(text, Style(tone.role, on: .bar)))
  }

  package func say(_ text: StyledText) {
    message = text
    said = said.suffix(Self.saidMax - 1) + [Said(text: text, at: timers.now)]
    invalidate()
  }

  func forgetMessage() {
    message = nil
  }

  func countEvent() {
    counts.events += 1
  }

  // MARK: Drawing

  /// Something changed: a frame will follow, as a rule one every ``backgroundPace``.
  ///
  /// After a rest the second comes without waiting: what is read first (a count) does not keep what
  /// a person waits for (the rows).
  package func invalidate() {
    guard scheduledFrame == nil else { return }
    let delay = max(.zero, pacedUntil - Self.backgroundPace - timers.now)
    scheduledFrame = timers.after(delay) { [weak self] in
      guard let self else { return }
      let begun = self.timers.now
      // A frame that changes nothing on the screen keeps the next one, which may, not waiting.
      let isEmpty = self.drawNow() == 0
      if !isEmpty || self.wasFrameEmpty {
        self.pacedUntil = max(self.pacedUntil, begun) + Self.backgroundPace
      }
      self.wasFrameEmpty = isEmpty
    }
  }

  /// As ``invalidate()``, and nothing on the screen can be relied on: colours or size changed.
  package func invalidateAll() {
    driver.forgetScreen()
    invalidate()
  }

  /// The terminal has another size: draws at once.
  package func resize() {
    driver.forgetScreen()
    drawNow()
  }

  /// Draws a frame now; answers how many bytes that took.
  @discardableResult
  package func drawNow() -> Int {
    scheduledFrame?.cancel()
    scheduledFrame = nil
    giveHeldKeys()
    let size = driver.size
    // Taken out, so that it is not copied while it is drawn into.
    var frame = Grid(columns: 0, rows: 0)
    swap(&frame, &spare)
    if frame.size != size {
      frame = Grid(columns: size.columns, rows: size.rows)
    } else {
      frame.reset()
    }
    drawLayers(on: &frame)
    counts.frames += 1
    let bytes = driver.present(frame, palette: palette)
    counts.bytes += bytes
    spare = shown
    shown = frame
    return bytes
  }

  /// Redraws whenever something that `read` reads of observable objects changes, as long as the
  /// result is kept.
  package func follow(_ read: @escaping @UI () -> Void) -> Following {
    Following(read: read) { [weak self] in self?.invalidate() }
  }
}
