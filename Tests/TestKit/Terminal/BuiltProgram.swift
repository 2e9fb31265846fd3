// Where the programs of this package are while its tests run.

/// A program that the build has put beside the tests.
package enum BuiltProgram {
  /// The path of an executable target's program.
  package static func path(_ name: String) -> String {
    let tests = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    return tests.dropLast().joined(separator: "/") + "/" + name
  }
}
