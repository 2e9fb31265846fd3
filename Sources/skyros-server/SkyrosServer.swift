// The service as a program: `skyros-server`. Standard output is data; errors are one sentence on
// standard error. Exit status: 0 done, 1 failed, 2 usage or a bad value, 3 unknown id.

import ArgumentParser
import Glibc

struct SkyrosServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skyros-server",
    abstract: "A record service for several devices and people.",
    subcommands: [
      Serve.self, UserCommand.self, TokenCommand.self, KeyCommand.self, ZoneCommand.self,
      Backup.self, Restore.self,
    ])
}

@main
struct Program {
  static func main() async {
    do {
      var command = try SkyrosServer.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error where CommandWords.sentence(for: error) != nil {
      Output.error(CommandWords.sentence(for: error) ?? "")
      exit(CommandWords.status(for: error))
    } catch {
      let text = SkyrosServer.fullMessage(for: error)
      let code = SkyrosServer.exitCode(for: error)
      guard code.isSuccess else {
        Output.error(text)
        exit(code == .validationFailure ? 2 : 1)
      }
      print(text)
    }
  }
}
