// A text in the person's own editor. UI actor; the stage goes on meanwhile, without a screen.

internal import CPlatform
internal import UILoop

/// What came of editing a text outside.
package enum OutsideEdit: Equatable, Sendable {
  case changed(String)
  case unchanged
  /// The editor could not be started.
  case noEditor(String)
  /// The editor ended with a failure: nothing is taken from it. What it wrote by then is in the
  /// file that is named, if it wrote anything.
  case failed(status: Int, kept: String?)
  /// The file could not be written.
  case noFile
  /// What the editor left in the file that is named can't be read; it stays there.
  case unreadable(String)
}

/// A person's own text editor, as VISUAL or EDITOR name it.
package struct TextEditor: Sendable, Hashable {
  /// What a shell ends with when there is no such program (sh(1p), "Exit Status").
  static let notFound = 127

  /// As the variable has it: it may hold words and quotes, `code --wait "x y"`.
  package let name: String

  package init(_ name: String) { self.name = name }

  package init(in environment: [String: String]) {
    name = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// What runs it on a file.
  ///
  /// A shell reads the variable, as it does for other programs that start an editor; the path is an
  /// argument of its own, which no shell reads.
  package func command(for path: String) -> [String] {
    ["/bin/sh", "-c", name + " \"$1\"", "sh", path]
  }
}

extension Stage {
  /// Lets a person edit a text in their editor.
  ///
  /// The text goes through a file that only this user can read, in `folder`, removed once its text
  /// is here. One line end at the very end is taken off, for editors add it.
  package func editOutside(
    _ text: String, editor: TextEditor, folder: String, suffix: String = ".txt"
  ) async -> OutsideEdit {
    guard let path = PrivateFile.make(in: folder, suffix: suffix, text: text) else {
      return .noFile
    }
    let status = await driver.runOnTerminal(editor.command(for: path))
    guard let status, status != TextEditor.notFound else {
      platform_remove(path)
      return .noEditor(editor.name)
    }
    guard var edited = PrivateFile.read(path) else { return .unreadable(path) }
    guard status == 0 || edited == text else { return .failed(status: status, kept: path) }
    platform_remove(path)
    guard status == 0 else { return .failed(status: status, kept: nil) }
    if edited.hasSuffix("\n"), !text.hasSuffix("\n") { edited.removeLast() }
    return edited == text ? .unchanged : .changed(edited)
  }
}

/// A file for one text.
enum PrivateFile {
  /// More is not read back: an editor that wrote this much was given another file.
  private static let bytesMax: Int64 = 64 << 20

  static func make(in folder: String, suffix: String, text: String) -> String? {
    var template = Array((folder + "/skyros-XXXXXX" + suffix).utf8CString)
    let descriptor = platform_make_private_file(&template, Int32(suffix.utf8.count))
    guard descriptor >= 0 else { return nil }
    defer { platform_close(descriptor) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(text.utf8)
    guard platform_write_all(descriptor, bytes, bytes.count) >= 0 else {
      platform_remove(path)
      return nil
    }
    return path
  }

  static func read(_ path: String) -> String? {
    let descriptor = platform_open_to_read(path)
    guard descriptor >= 0 else { return nil }
    defer { platform_close(descriptor) }
    let size = platform_file_size(descriptor)
    guard size >= 0, size <= bytesMax else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var used = 0
    while used < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        platform_read(descriptor, buffer.baseAddress?.advanced(by: used), buffer.count - used)
      }
      guard count > 0 else { break }
      used += Int(count)
    }
    return String(decoding: bytes.prefix(used), as: UTF8.self)
  }
}
