// How a library's lists look, and its saved views: one file of JSON in the library's folder. Losing it
// loses no record. Any thread.

internal import FoundationEssentials
internal import ViewModels

/// `views.json` of a library.
enum ListsFile {
  private static func path(in library: String) -> String { library + "/views.json" }

  static func read(in library: String) -> SavedViews {
    guard let text = try? String(contentsOfFile: path(in: library), encoding: .utf8) else {
      return SavedViews()
    }
    return SavedViews(text: text)
  }

  static func write(_ lists: SavedViews, in library: String) {
    // Nothing was arranged: no file for that.
    guard lists != read(in: library) else { return }
    // A library on a read-only disk can be looked at all the same.
    _ = try? lists.text.write(toFile: path(in: library), atomically: true, encoding: .utf8)
  }
}
