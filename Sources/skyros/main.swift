// The program `skyros`. What it does with its words is in Program.swift.

await Program.run(Array(CommandLine.arguments.dropFirst()))
