// Work that may take long: said with how far it is, or with a meter that moves while it lasts, and
// stopped by a key. UI actor; a timer runs only while something is done.

package import RecordStore
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// What is under way, and since when.
struct Labour {
  /// What is done; nothing where the library writes for a reason that nobody named.
  var title: String?
  var began: Duration?
  var tick: LoopWait?
  /// How far it is, once it is long enough to be counted.
  var progress: WriteProgress?
  /// The one that was begun last, to be stopped.
  var task: Task<Void, Never>?
}

extension Desk {
  /// Between two steps of the meter.
  private static let pace = Duration.milliseconds(250)
  /// What takes less needs no meter.
  private static let patience = Duration.seconds(1)
  private static let meterColumns = 16

  /// Does something that may take long, under a name: `deleting 34006 records`.
  ///
  /// - Parameter body: Gets what hears how far it is. Its task is cancelled when the person stops it.
  package func labour(
    _ title: String, _ body: @escaping @UI (_ tell: @escaping WriteTelling) async -> Void
  ) {
    underWay.title = title
    underWay.progress = nil
    noticeLabour()
    let tell: WriteTelling = { [weak self] progress in
      Task { @UI [weak self] in self?.note(progress) }
    }
    underWay.task = Task { @UI in
      await body(tell)
      underWay.title = nil
      underWay.progress = nil
      underWay.task = nil
      noticeLabour()
      stage.invalidate()
    }
  }

  private func note(_ progress: WriteProgress) {
    // What is told late comes after the end.
    guard underWay.title != nil else { return }
    let isFirst = underWay.progress == nil
    underWay.progress = progress
    // The bar shows the key that stops it; the count itself moves with the meter.
    if isFirst { stage.invalidate() }
  }

  /// Whether something is under way that is worth stopping.
  var canStop: Bool { underWay.progress != nil }

  /// Ends what is under way: it takes back what it did.
  func stopLabour() { underWay.task?.cancel() }

  private var isAtWork: Bool { underWay.title != nil || library.state.activity == .writing }

  /// Begins or ends the meter; called when the library's state changes.
  func noticeLabour() {
    guard isAtWork else {
      underWay.tick?.cancel()
      underWay.tick = nil
      underWay.began = nil
      return
    }
    guard underWay.tick == nil else { return }
    if underWay.began == nil { underWay.began = stage.timers.now }
    underWay.tick = stage.timers.after(Self.pace) { [weak self] in
      guard let self else { return }
      underWay.tick = nil
      noticeLabour()
      stage.invalidate()
    }
  }

  /// What is done, the meter and the seconds: `deleting 34006 records… [  ##    ] 5 s`, and where it
  /// is counted: `deleting 34006 records… [##      ] 25 %  8500 of 34006`.
  var labourText: String {
    let title = underWay.title.map { $0 + "…" } ?? words.writing
    guard let began = underWay.began else { return title }
    let time = stage.timers.now - began
    if let progress = underWay.progress {
      let part = Double(progress.done) / Double(max(1, progress.total))
      let bar = ProgressBar.text(part, columns: Self.meterColumns)
      return "\(title) \(bar)  \(words.part(progress.done, of: progress.total))"
    }
    guard time >= Self.patience else { return title }
    let bar = ProgressBar.text(nil, columns: Self.meterColumns, step: Int(time / Self.pace))
    return "\(title) \(bar) \(time.components.seconds) s"
  }
}
