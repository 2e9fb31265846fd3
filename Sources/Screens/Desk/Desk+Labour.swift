// Work that may take long: said with its count, and with a meter that moves while it lasts. The store
// does not tell how far a deletion or an undo is. UI actor; a timer runs only while something is done.

internal import RecordStore
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
}

extension Desk {
  /// Between two steps of the meter.
  private static let pace = Duration.milliseconds(250)
  /// What takes less needs no meter.
  private static let patience = Duration.seconds(1)
  private static let meterColumns = 16

  /// Does something that may take long, under a name: `deleting 34006 records`.
  package func labour(_ title: String, _ body: @escaping @UI () async -> Void) {
    underWay.title = title
    noticeLabour()
    Task { @UI in
      await body()
      underWay.title = nil
      noticeLabour()
      stage.invalidate()
    }
  }

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

  /// What is done, the meter and the seconds: `deleting 34006 records… [  ##    ] 5 s`.
  var labourText: String {
    let title = underWay.title.map { $0 + "…" } ?? words.writing
    guard let began = underWay.began else { return title }
    let time = stage.timers.now - began
    guard time >= Self.patience else { return title }
    let bar = ProgressBar.text(nil, columns: Self.meterColumns, step: Int(time / Self.pace))
    return "\(title) \(bar) \(time.components.seconds) s"
  }
}
