import ArgumentParser

/// The program's commands. Which options `engage` takes depends on the command line.
struct Commands<Engage: ParsableCommand>: AsyncParsableCommand {
  /// What the parser's errors begin with: the same as all others.
  static var _errorPrefix: String { "error: " }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Program.name, abstract: Program.abstract,
      discussion: """
        Run `\(Program.name) node` on each machine, then `\(Program.name) engage` on any of them: it finds the nodes, \
        spreads the sectors over all of them and itself, and loses none.

        Give an option once, unless its help says that it may be given several times.

        Exit status: 0 every sector was scanned; 1 some sectors failed; 2 the command could not run; 64 \
        the command line was wrong; 130 interrupted by Ctrl-C, 143 by SIGTERM or SIGHUP.
        """,
      version: BuildVersion.text(of: Program.name),
      groupedSubcommands: groups)
  }

  /// The commands by what they are for. Those of workloads need no cluster.
  private static var groups: [CommandGroup] {
    let workloads = Program.workloads
    let alone = workloads.all.flatMap { $0.commands }
    return [
      CommandGroup(name: "Run", subcommands: [workloads.nodeCommand, Engage.self]),
      CommandGroup(name: "See", subcommands: [WatchCommand.self, SystemsCommand.self]),
      CommandGroup(
        name: "Afterwards",
        subcommands: [RunsCommand.self, ReportCommand.self, workloads.replayCommand]),
      CommandGroup(
        name: "Members", subcommands: [InviteCommand.self, JoinCommand.self, KeyCommand.self]),
      CommandGroup(
        name: "Deploy",
        subcommands: [
          workloads.nodesCommand, DrainCommand.self, UndrainCommand.self, CompletionsCommand.self,
        ]),
    ] + (alone.isEmpty ? [] : [CommandGroup(name: "Alone", subcommands: alone)])
  }
}
