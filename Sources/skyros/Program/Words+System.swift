// The language that the command line speaks: the settings', else the locale's, as the interface does. Read
// once, when the first sentence is needed, from what does not change while the program runs.

internal import Glibc
internal import Wording

extension Words {
  /// The words of this process.
  static let system = Words(
    InterfaceSettings.system.language ?? Language { getenv($0).map { String(cString: $0) } })
}
