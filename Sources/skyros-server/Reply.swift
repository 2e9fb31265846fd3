import CloudKitWire

/// The answer of a command, for a person and for a program.
enum Reply {
  /// One thing: a sentence, and its members as JSON.
  case one(String, KeyValuePairs<String, String>)
  /// A list: a line of columns each, and an object each as JSON; a value may be lacking.
  case rows([Row])

  typealias Row = KeyValuePairs<String, String?>

  /// What has nothing to tell but that it is done.
  static func outcome(_ outcome: Outcome, _ sentence: String) -> Reply {
    .one(sentence, ["outcome": outcome.rawValue])
  }

  enum Outcome: String {
    case revoked, done
  }

  func print(asJSON: Bool) {
    switch self {
    case .one(let sentence, let members):
      guard asJSON else { return Output.line(sentence) }
      Output.json { writer in
        writer.object { for (name, value) in members { $0.member(name, value) } }
      }
    case .rows(let rows):
      guard asJSON else {
        for row in rows { Output.line(row.map { $0.value ?? "-" }.joined(separator: "\t")) }
        return
      }
      Output.json { writer in
        writer.array { writer in
          for row in rows {
            writer.object { for (name, value) in row { $0.member(name, value) } }
          }
        }
      }
    }
  }
}
