// Text of records and of errors on its way to a terminal. It never touches a stored value.

internal import TerminalKit

/// Text as a terminal may see it: a control or escape character shows as the symbol that
/// stands for it.
enum VisibleText {
  static func shown(_ text: some StringProtocol) -> String { DisplayText.shown(text) }
}
