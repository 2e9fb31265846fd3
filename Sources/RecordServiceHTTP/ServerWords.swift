// Every sentence that a person reads on the service's pages.

/// The words of the sign-in page, English or Japanese.
struct ServerWords {
  let language: String
  let title: String
  let explain: String
  let code: String
  let submit: String
  let wrongCode: String
  let wait: String
  let done: String
  let copy: String
  let stale: String
  let badCallback: String

  static let english = ServerWords(
    language: "en", title: "Sign in to Skyros",
    explain: "Type the code that the person who runs this service gave you.",
    code: "Code", submit: "Sign in",
    wrongCode: "That code is wrong, used or too old. Ask for a new one.",
    wait: "Too many attempts. Wait a minute, then try again.",
    done: "You are signed in",
    copy: "Copy this token to the program that asked for it. It is shown this once.",
    stale: "This page is too old. Start again from the program that sent you here.",
    badCallback: "The program asked for the token to be sent to another machine. That is refused.")

  static let japanese = ServerWords(
    language: "ja", title: "Skyros にサインイン",
    explain: "このサービスの管理者から受け取ったコードを入力してください。",
    code: "コード", submit: "サインイン",
    wrongCode: "コードが違うか、使用済みか、期限切れです。新しいコードをもらってください。",
    wait: "試行回数が多すぎます。少し待ってからやり直してください。",
    done: "サインインしました",
    copy: "このトークンを、要求したプログラムにコピーしてください。表示されるのは一度だけです。",
    stale: "このページは期限切れです。プログラムからやり直してください。",
    badCallback: "トークンを別のマシンに送るよう求められたため、拒否しました。")

  /// By the browser's first wish that we can meet.
  static func fitting(_ acceptLanguage: String?) -> ServerWords {
    for wish in (acceptLanguage ?? "").split(separator: ",") {
      let tag = wish.filter { !$0.isWhitespace }.lowercased()
      if tag.hasPrefix("ja") { return .japanese }
      if tag.hasPrefix("en") { return .english }
    }
    return .english
  }
}
