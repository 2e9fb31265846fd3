// Whether the terminal is light or dark, from what it answers. Pure.

/// The background that a terminal reports.
package enum TerminalBackground: Equatable, Sendable {
  case light, dark

  /// Reads the answer to OSC 11: `11;rgb:ffff/ffff/dddd`, with one to four digits a part.
  ///
  /// Nil when it is another answer.
  package init?(reply: String) {
    guard reply.hasPrefix("11;rgb:") || reply.hasPrefix("11;rgba:") else { return nil }
    let parts = reply.drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3)
    let values = parts.compactMap { part -> Double? in
      guard (1...4).contains(part.count), let value = Int(part, radix: 16) else { return nil }
      return Double(value) / Double((1 << (4 * part.count)) - 1)
    }
    guard values.count == 3 else { return nil }
    // Luminance by the weights of ITU-R BT.601.
    self = 0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2] > 0.5 ? .light : .dark
  }
}
