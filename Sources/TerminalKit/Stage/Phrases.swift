// The few words that widgets of this room show by themselves. The program gives them in the person's
// language; these are the English ones. Pure.

/// Words of dialogs, help, palette and the stage itself.
package struct Phrases: Sendable {
  package var ok = "OK"
  package var cancel = "Cancel"
  package var yes = "Yes"
  package var no = "No"
  package var help = "Help"
  package var helpOfHelp = "Shows what can be done here, and with which keys."
  package var commands = "Commands"
  package var helpOfPalette = "Finds a command by its name and runs it."
  package var suspend = "Suspend"
  package var helpOfSuspend =
    "Stops the program and gives the terminal back to the shell; fg resumes."
  package var redraw = "Redraw"
  package var helpOfRedraw = "Draws the whole screen anew."
  package var messages = "Messages"
  package var helpOfMessages = "Shows the last messages in full, the newest first."
  package var noMessages = "Nothing was said yet."
  package var age: @Sendable (Duration) -> String = { age in
    let seconds = age.components.seconds
    return seconds < 60 ? "\(seconds) s ago" : "\(seconds / 60) min ago"
  }
  package var interrupt = "C-c ends nothing here: q leaves, Esc goes back."
  package var search = "Search"
  package var nothingFound = "Nothing found"
  package var keysAfter: @Sendable (String) -> String = { "After \($0)" }
  package var noSuchKey: @Sendable (String) -> String = { "\($0) does nothing here" }
  package var tooSmall: @Sendable (Size, Size) -> String = { need, have in
    "need \(need.columns)x\(need.rows), have \(have.columns)x\(have.rows)"
  }
  package var pasteCut: @Sendable (Int) -> String = {
    "Pasted text was too long: \($0) bytes left out"
  }
  package var loading = "…"
  package var typeToAdd = "Type to add"
  package var noValue = "–"
  package var close = "Close"
  /// What the widgets' own commands are called, by id (`list.down`); one that is not here keeps its
  /// English title.
  package var titles: [String: String] = [:]
  package var weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  package init() {}
}
