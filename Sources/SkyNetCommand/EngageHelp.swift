import ArgumentParser

/// What chooses a workload, in the help of `skynet engage`.
struct EngageChoice<Choice: ParsableArguments>: ParsableArguments {
  @OptionGroup(title: "What is scanned") var choice: Choice
}

extension CommandConfiguration {
  /// The help of `skynet engage` for some of its workloads.
  static func engage(_ workloads: [any Workload.Type]) -> CommandConfiguration {
    let choosers = Program.workloads.all.compactMap { $0.choosers.first }
    let pages = choosers.map { "`\(Program.name) help engage \($0)`" }
    let paragraphs =
      [
        """
        The scan begins at once on this machine. Systems that appear join in; the sectors of those that \
        leave are scanned elsewhere. At Ctrl-C, SIGTERM, or when the terminal is closed (SIGHUP, unless \
        nohup has it ignored), the command hands out no more sectors, finishes those that run, and prints \
        the summary; a second signal ends it within a second.
        """
      ] + workloads.compactMap { $0.discussion }
      + (pages.isEmpty
        ? []
        : [
          """
          There are options for each kind of scan: \(pages.joined(separator: ", ")). With --help-hidden in \
          place of --help, as in `\(Program.name) engage \(choosers.last ?? "") --help-hidden`, those that only measurements need are shown too.
          """
        ]) + [
        TimeOption.explanation, "Examples:",
        workloads.flatMap { $0.examples }.map { "  \(Program.name) engage \($0)" }.joined(
          separator: "\n"),
      ]
    return CommandConfiguration(
      commandName: "engage", abstract: "Spread a scan over all systems, and gather the results.",
      discussion: paragraphs.joined(separator: "\n\n"))
  }
}
