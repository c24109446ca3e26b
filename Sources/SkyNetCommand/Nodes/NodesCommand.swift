import ArgumentParser

/// `skynet nodes`, for nodes with the options that its workloads take.
struct NodesCommand<Offering: NodeOffering>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "nodes", abstract: "Start nodes as jobs of a batch system.",
      discussion: """
        `\(Program.name) node` serves one machine. Where a batch system gives out the machines, this command has it run the \
        nodes.
        """,
      subcommands: [SlurmCommand<Offering>.self])
  }
}
