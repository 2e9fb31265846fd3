// The appearance: the palette is edited on a detached copy, which a preview shows; save or cancel.
// A palette is neutral data here (roles and colours by name): what a terminal makes of it is not
// known. UI actor; nothing here reads or writes files: who saves it takes the answer.

internal import Observation
package import UILoop

/// How one role looks, by names.
package struct PaletteEntry: Sendable, Hashable, Identifiable {
  package let role: String
  /// The name or number of a colour; nothing for what lies beneath.
  package var foreground: String?
  package var background: String?
  /// Names of attributes: bold, underline, and so on.
  package var attributes: Set<String>

  package var id: String { role }

  package init(
    role: String, foreground: String? = nil, background: String? = nil,
    attributes: Set<String> = []
  ) {
    self.role = role
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// A palette as data.
package struct PaletteData: Sendable, Hashable {
  package var name: String
  package var entries: [PaletteEntry]

  package init(name: String, entries: [PaletteEntry]) {
    self.name = name
    self.entries = entries
  }

  package func entry(_ role: String) -> PaletteEntry? { entries.first { $0.role == role } }
}

/// All that the appearance screen shows.
package struct AppearanceState: Sendable, Hashable {
  /// The palettes to start from.
  package let palettes: [PaletteData]
  /// What is in use, and stays so if the person cancels.
  package var saved: PaletteData
  /// The detached copy: what the preview shows.
  package var edited: PaletteData
  package var cursor = 0
  package var canUndo = false
  package var canRedo = false
  package var asksToDiscard = false
  /// What was typed as a colour and is none; the copy keeps what it had.
  package var refused: String?
  package var isClosed = false
  /// Why saving failed; the form stays open.
  package var failure: Failure?

  package var isDirty: Bool { edited != saved }
  package var selected: PaletteEntry? {
    edited.entries.indices.contains(cursor) ? edited.entries[cursor] : nil
  }

  /// Whether a role differs from what is saved.
  package func isChanged(_ role: String) -> Bool { edited.entry(role) != saved.entry(role) }
}

/// What a person can do with the colours.
@UI @Observable
package final class AppearanceViewModel {
  package private(set) var state: AppearanceState

  @ObservationIgnored private let isColour: (String) -> Bool
  @ObservationIgnored private let store: @UI (PaletteData) async throws -> Void
  @ObservationIgnored private var done: [PaletteData] = []
  @ObservationIgnored private var undone: [PaletteData] = []

  /// - Parameters:
  ///   - palette: What is in use.
  ///   - palettes: Those that come along, to start from.
  ///   - isColour: Whether the terminal knows a colour of that name.
  ///   - store: Keeps the palette; called by ``save()`` only.
  package init(
    palette: PaletteData, palettes: [PaletteData], isColour: @escaping (String) -> Bool,
    store: @escaping @UI (PaletteData) async throws -> Void
  ) {
    self.isColour = isColour
    self.store = store
    state = AppearanceState(palettes: palettes, saved: palette, edited: palette)
  }

  package func moveCursor(to position: Int) {
    state.cursor = max(0, min(position, state.edited.entries.count - 1))
    state.refused = nil
  }

  package func moveCursor(by rows: Int) { moveCursor(to: state.cursor + rows) }

  // MARK: Changing

  /// Gives the selected role a foreground; nothing for what lies beneath.
  package func setForeground(_ name: String?) { setColour(name) { $0.foreground = name } }

  package func setBackground(_ name: String?) { setColour(name) { $0.background = name } }

  private func setColour(_ name: String?, _ body: (inout PaletteEntry) -> Void) {
    if let name, !isColour(name) {
      state.refused = name
      return
    }
    changeSelected(body)
  }

  package func toggleAttribute(_ name: String) {
    changeSelected { $0.attributes.formSymmetricDifference([name]) }
  }

  /// Puts the selected role back to what is saved.
  package func revertSelected() {
    changeSelected { entry in
      if let saved = state.saved.entry(entry.role) { entry = saved }
    }
  }

  /// Takes a whole palette as the copy.
  package func startFrom(_ palette: PaletteData) { change { $0 = palette } }

  private func changeSelected(_ body: (inout PaletteEntry) -> Void) {
    let cursor = state.cursor
    guard state.edited.entries.indices.contains(cursor) else { return }
    change { body(&$0.entries[cursor]) }
  }

  private func change(_ body: (inout PaletteData) -> Void) {
    var next = state.edited
    body(&next)
    state.refused = nil
    guard next != state.edited, !state.isClosed else { return }
    done.append(state.edited)
    undone = []
    show(next)
  }

  private func show(_ palette: PaletteData) {
    state.edited = palette
    state.cursor = max(0, min(state.cursor, palette.entries.count - 1))
    state.canUndo = !done.isEmpty
    state.canRedo = !undone.isEmpty
    state.asksToDiscard = false
  }

  package func undo() {
    guard let before = done.popLast() else { return }
    undone.append(state.edited)
    show(before)
  }

  package func redo() {
    guard let after = undone.popLast() else { return }
    done.append(state.edited)
    show(after)
  }

  // MARK: Leaving

  /// Keeps the copy; if that fails, the form stays open with it.
  @discardableResult
  package func save() async -> Bool {
    guard !state.isClosed else { return true }
    do {
      let palette = state.edited
      try await store(palette)
      state.saved = palette
      state.failure = nil
      state.isClosed = palette == state.edited
    } catch {
      state.failure = Failure(error)
    }
    return state.isClosed
  }

  /// Leaves; asks when the copy differs from what is saved.
  package func cancel() {
    if state.isDirty { state.asksToDiscard = true } else { state.isClosed = true }
  }

  package func keepEditing() { state.asksToDiscard = false }

  /// Drops the copy.
  package func discard() {
    state.edited = state.saved
    state.asksToDiscard = false
    state.isClosed = true
  }
}
