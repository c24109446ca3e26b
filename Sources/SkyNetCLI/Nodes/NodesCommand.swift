import ArgumentParser

struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes", abstract: "Start nodes as jobs of a batch system.",
    discussion: """
      `skynet node` serves one machine. Where a batch system gives out the machines, this command has it run the \
      nodes.
      """,
    subcommands: [SlurmCommand.self])
}
