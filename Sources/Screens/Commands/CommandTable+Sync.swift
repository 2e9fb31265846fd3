// Default keys and words of sync: the monitor, its events, setting up, and conflicts.

internal import Wording

extension CommandTable {
  /// What the desk offers of sync.
  static let deskSync = [
    CommandEntry(
      "desk.sync", ["S"], 4, .init("Sync", "同期"),
      .init(
        "The sync monitor: what runs, what waits and why, the log; and setting sync up.",
        "同期の様子、待っているものと理由、記録、設定です。")),
    CommandEntry(
      "desk.syncNow", [], .init("Sync now", "今すぐ同期"),
      .init("Syncs at once, without waiting for the next cause.", "すぐに同期します。")),
    CommandEntry(
      "desk.why", ["N"], .init("Why not synced?", "未同期の理由"),
      .init(
        "Says where the record stands with sync, and what helps.",
        "このレコードの同期の状態と対処を示します。")),
  ]

  static let sync = [
    CommandEntry(
      "sync.now", ["s"], 12, .init("Sync now", "今すぐ同期"),
      .init("Syncs at once, without waiting for the end of a wait.", "待たずにすぐ同期します。")),
    CommandEntry(
      "sync.pause", ["p"], 10, .init("Pause, resume", "停止・再開"),
      .init("Holds sync, or lets it go on; edits wait meanwhile.", "同期を止めるか再開します。編集は待ちます。")),
    CommandEntry(
      "sync.retry", ["t"], 9, .init("Retry", "再試行"),
      .init("Tries the records again that the service refused.", "拒まれたレコードを送り直します。")),
    CommandEntry(
      "sync.decide", ["d"], 11, .init("Decide", "決める"),
      .init(
        "Shows what the service lost, and asks what is to be done about it.",
        "サービスから失われたレコードをどうするか決めます。")),
    CommandEntry(
      "sync.other", ["Tab", "S-Tab"], 11, .init("Log, waiting", "記録・待ち"),
      .init("Between the log and what waits.", "記録と待っているものを切り替えます。")),
    CommandEntry(
      "sync.details", ["Enter", "Right", "l"], 8, .init("Details", "詳細"),
      .init(
        "The event in full; the record that waits.", "記録の詳細、または待っているレコードを開きます。")),
    CommandEntry(
      "sync.failed", ["f"], 6, .init("Only failed", "失敗のみ"),
      .init("Shows failures only, or everything again.", "失敗だけを表示します。")),
    CommandEntry(
      "sync.phase", ["n"], 5, .init("Phase", "段階"),
      .init("Shows one phase after the other alone, then all.", "段階ごとに表示します。")),
    CommandEntry(
      "sync.conflicts", ["c"], 4, .init("Conflicts", "競合"),
      .init("Records whose writers disagree.", "書き手の意見が分かれたレコードです。")),
    CommandEntry(
      "sync.setUp", ["o"], 7, .init("Set up", "設定"),
      .init("Chooses the service, or signs in again.", "サービスを選ぶか、サインインし直します。")),
    CommandEntry(
      "sync.off", ["O"], .init("Turn off", "切る"),
      .init("Forgets the service after a question; the records stay.", "確認して同期を切ります。レコードは残ります。")),
    CommandEntry(
      "sync.export", ["X"], 3, .init("Export log", "記録を保存"),
      .init("Writes the log to a text file, for a bug report.", "記録を文字のファイルに書きます。")),

    CommandEntry(
      "event.raw", ["r"], 10, .init("Raw", "生の理由"),
      .init("Shows the raw reason under the sentence, or hides it.", "生の理由を表示・非表示にします。")),
    CommandEntry(
      "event.remedy", ["Enter"], 12, .init("Remedy", "対処"),
      .init("Does what helps.", "対処します。")),
    CommandEntry(
      "event.copy", ["y"], 6, .init("Copy", "コピー"),
      .init("Copies the event as text.", "記録を写します。")),

    CommandEntry(
      "setup.save", ["C-s"], 12, .init("Connect", "接続"),
      .init("Reaches the service and syncs with it from now on.", "サービスに接続し、同期を始めます。")),
    CommandEntry(
      "setup.copy", ["C-y"], 9, .init("Copy address", "アドレスを写す"),
      .init("Copies the address of the page on which you sign in.", "サインインのページのアドレスを写します。")),
    CommandEntry(
      "setup.cancel", ["Esc"], 11, .init("Cancel", "やめる"),
      .init("Leaves everything as it is.", "何も変えずに戻ります。")),

    CommandEntry(
      "conflicts.mark", ["Space"], 9, .init("Mark", "印"),
      .init("Marks the record, or takes its mark away.", "印を付けるか外します。")),
    CommandEntry(
      "conflicts.markAll", ["*"], .init("Mark all", "すべてに印"),
      .init("Marks all records in conflict, or none.", "すべてに印を付けるか外します。")),
    CommandEntry(
      "conflicts.takeShown", ["s"], 11, .init("Take shown", "今の値を採る"),
      .init(
        "Takes what is shown now in all conflicts of the record, or of the marked ones, in one save.",
        "今の値を採り、印のあるすべての競合を一度に解決します。")),
    CommandEntry(
      "conflicts.record", ["o"], 6, .init("Open record", "レコードを開く"),
      .init("Goes to the record.", "レコードを開きます。")),
    CommandEntry(
      "compare.edit", ["e"], 10, .init("Own value", "別の値"),
      .init("Edits a value of your own, which settles the field when saved.", "自分の値を入力して解決します。")),
    CommandEntry(
      "compare.takeAll", ["A"], 8, .init("Take all shown", "すべて今の値"),
      .init("Takes what is shown in every conflict of the record, in one save.", "すべて今の値で解決します。")),
  ]
}
