import Testing
import UILoop
import ViewModels

/// Colours are tried on a copy; only saving keeps them.
@UI struct AppearanceViewModelTests {
  static let dark = PaletteData(
    name: "dark",
    entries: [
      PaletteEntry(role: "text"),
      PaletteEntry(role: "error", foreground: "red", attributes: ["bold"]),
    ])
  static let light = PaletteData(name: "light", entries: [PaletteEntry(role: "text")])

  @UI final class Shelf {
    var kept: [PaletteData] = []
    var fails = false
  }

  struct Full: Error {}

  func open(_ shelf: Shelf) -> AppearanceViewModel {
    AppearanceViewModel(
      palette: Self.dark, palettes: [Self.dark, Self.light],
      isColour: { ["red", "blue"].contains($0) },
      store: { palette in
        if shelf.fails { throw Full() }
        shelf.kept.append(palette)
      })
  }

  @Test func `the preview shows the copy, what is in use stays`() {
    let model = open(Shelf())
    model.moveCursor(by: 1)
    model.setForeground("blue")
    model.toggleAttribute("underline")
    #expect(
      model.state.edited.entry("error")
        == PaletteEntry(role: "error", foreground: "blue", attributes: ["bold", "underline"]))
    #expect(model.state.saved == Self.dark)
    #expect(model.state.isChanged("error"))
    #expect(!model.state.isChanged("text"))
    model.revertSelected()
    #expect(!model.state.isDirty)
  }

  @Test func `what is no colour is refused, and the copy keeps what it had`() {
    let model = open(Shelf())
    model.setBackground("puce")
    #expect(model.state.refused == "puce")
    #expect(!model.state.isDirty)
    model.setBackground("blue")
    #expect(model.state.refused == nil)
    model.setBackground(nil)
    #expect(!model.state.isDirty)
  }

  @Test func `undo and redo step through the copy`() {
    let model = open(Shelf())
    model.setForeground("red")
    model.startFrom(Self.light)
    #expect(model.state.edited == Self.light)
    model.undo()
    #expect(model.state.edited.entry("text")?.foreground == "red")
    model.undo()
    #expect(!model.state.isDirty)
    #expect(!model.state.canUndo)
    model.redo()
    #expect(model.state.edited.entry("text")?.foreground == "red")
  }

  @Test func `saving keeps the copy and closes`() async {
    let shelf = Shelf()
    let model = open(shelf)
    model.setForeground("red")
    #expect(await model.save())
    #expect(shelf.kept.map { $0.entry("text")?.foreground } == ["red"])
    #expect(model.state.isClosed)
  }

  @Test func `a failed save keeps the form open with its colours`() async {
    let shelf = Shelf()
    shelf.fails = true
    let model = open(shelf)
    model.setForeground("red")
    #expect(await !model.save())
    #expect(model.state.failure != nil)
    #expect(model.state.edited.entry("text")?.foreground == "red")
    #expect(!model.state.isClosed)
    shelf.fails = false
    #expect(await model.save())
    #expect(model.state.failure == nil)
  }

  @Test func `cancelling asks only when colours would be dropped`() {
    let clean = open(Shelf())
    clean.cancel()
    #expect(clean.state.isClosed)
    let dirty = open(Shelf())
    dirty.setForeground("red")
    dirty.cancel()
    #expect(dirty.state.asksToDiscard)
    #expect(!dirty.state.isClosed)
    dirty.discard()
    #expect(dirty.state.isClosed)
    #expect(dirty.state.edited == Self.dark)
  }
}
