// A text in the person's editor ($VISUAL, $EDITOR, vi), in a file that only they can read.

internal import CPlatform
internal import Glibc
internal import TerminalKit

/// A temporary file being edited.
struct EditedFile {
  let path: String
  private let folder: String

  init(_ text: String, name: String) throws(Failure) {
    var template = Array("\(environment("TMPDIR") ?? "/tmp")/skyros-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .file(path: environment("TMPDIR") ?? "/tmp", code: errno)
    }
    folder = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(folder)/\(name)"
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .file(path: path, code: errno) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard platform_write_all(file, bytes, bytes.count) >= 0 else {
      throw .file(path: path, code: EIO)
    }
  }

  /// Runs the editor until it ends.
  func edit() throws(Failure) {
    let names = ["VISUAL", "EDITOR"]
    let editor = TextEditor(in: names.reduce(into: [:]) { $0[$1] = environment($1) })
    let copies = editor.command(for: path).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var arguments = copies.map { UnsafePointer<CChar>($0) }
    arguments.append(nil)
    signal(SIGPIPE, SIG_DFL)
    // The editor's screen is the terminal, whatever standard output is.
    let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
    defer { if terminal >= 0 { close(terminal) } }
    let process = platform_spawn(
      arguments, terminal >= 0 ? terminal : STDIN_FILENO,
      terminal >= 0 ? terminal : STDOUT_FILENO, STDERR_FILENO)
    signal(SIGPIPE, SIG_IGN)
    guard process > 0, platform_wait(process) == 0 else { throw .editorFailed(editor.name) }
  }

  func remove() {
    unlink(path)
    rmdir(folder)
  }
}
