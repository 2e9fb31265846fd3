// Whether the terminal shows Unicode, by what the environment says of the locale. Process-wide: curses
// reads the C library's locale.

internal import CPlatform

enum TerminalLocale {
  /// Takes over the person's locale; returns whether it is a UTF-8 one.
  ///
  /// Where no variable names a locale at all (a container, a bare ssh session) nobody asked for ASCII,
  /// and terminals of today take UTF-8. A locale that was named and is not UTF-8 is obeyed.
  static func adopt(environment: [String: String]) -> Bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].contains { !environment[$0, default: ""].isEmpty }
    if platform_adopt_locale() == 1 { return true }
    return named ? false : platform_assume_utf8() == 1
  }
}
