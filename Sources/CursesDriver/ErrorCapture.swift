// Standard error while the screen is ours: kept in memory, given out afterwards, so that a
// message (also the last one of a crash) is not lost with the screen. UI actor.

internal import CPlatform
internal import UILoop

/// What is written to standard error, kept until the screen is given back.
@UI
final class ErrorCapture {
  /// Where standard error went before.
  private(set) var original: Int32 = 2
  private(set) var log: Int32 = -1
  private var isCapturing = false

  func begin() {
    // Sent to a file on purpose: it stays there.
    guard !isCapturing, platform_is_terminal(2) == 1 else { return }
    let copy = platform_duplicate(2)
    log = platform_memory_file("skyros-errors")
    guard copy >= 0, log >= 0 else { return }
    original = copy
    platform_redirect(log, 2)
    isCapturing = true
  }

  /// More than this is not kept: what comes in a flood is not read afterwards either.
  private static let bytesMax: Int64 = 1 << 20

  /// Empties the capture when it has grown too long.
  ///
  /// Called now and then.
  func trim() {
    guard isCapturing, platform_file_size(log) > Self.bytesMax else { return }
    var nothing: UInt8 = 0
    _ = platform_take_file(log, &nothing, 0)
  }

  func end() {
    guard isCapturing else { return }
    isCapturing = false
    platform_redirect(original, 2)
    let count = platform_take_file(log, nil, 0)
    if count > 0 {
      var bytes = [UInt8](repeating: 0, count: Int(count))
      let taken = platform_take_file(log, &bytes, bytes.count)
      _ = platform_write_all(2, bytes, Int(max(0, taken)))
    }
    platform_close(original)
    platform_close(log)
    original = 2
    log = -1
  }
}
