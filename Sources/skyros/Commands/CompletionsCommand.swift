internal import ArgumentParser

/// `skyros completions SHELL`: the script that completes subcommands and options.
struct CompletionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script of bash, zsh or fish.")

  @Argument(help: "bash, zsh or fish.") var shell: String
  @OptionGroup var place: LibraryOption

  mutating func run() async throws {
    guard let shell = CompletionShell(rawValue: shell) else {
      throw Failure.usage("There are completions for bash, zsh and fish, not for '\(shell)'.")
    }
    let output = Output()
    try output.line(Skyros.completionScript(for: shell))
    try output.flush()
  }
}
