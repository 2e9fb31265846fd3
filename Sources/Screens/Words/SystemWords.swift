// What the operating system says of an error number, in its own locale.

internal import Glibc
package import Wording

extension Words {
  package func systemWords(_ code: Int32) -> String { String(cString: strerror(code)) }
}
