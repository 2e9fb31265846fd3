// What the program prints.

import CloudKitWire
import Glibc

enum Output {
  /// One line of JSON on standard output, at once.
  static func json(_ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    line(String(decoding: writer.bytes, as: UTF8.self))
  }

  static func line(_ text: String) {
    print(text)
    fflush(nil)
  }

  static func error(_ text: String) {
    var line = text
    if !line.hasSuffix("\n") { line += "\n" }
    _ = line.withUTF8 { write(2, $0.baseAddress, $0.count) }
  }
}
