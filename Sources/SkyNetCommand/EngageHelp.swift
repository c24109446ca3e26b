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
    let chosen = choosers.count > 1 ? choosers[choosers.count - 1] + " " : ""
    let examples = workloads.flatMap { $0.examples }.map { "  \(Program.name) engage \($0)" }
    let paragraphs =
      [
        """
        The scan begins at once on this machine. Systems that appear join in; the sectors of those that \
        leave are scanned elsewhere. At Ctrl-C, SIGTERM, or when the terminal is closed (SIGHUP, unless \
        nohup has it ignored), the command hands out no more sectors, finishes those that run, and prints \
        the summary; a second signal ends it within a second.
        """
      ] + workloads.compactMap { $0.discussion } + [
        (pages.count > 1
          ? "There are options for each kind of scan: \(pages.joined(separator: ", ")). " : "")
            + """
            With --help-hidden in place of --help, as in `\(Program.name) engage \(chosen)--help-hidden`, those \
            that only measurements need are shown too.
            """, TimeOption.explanation,
      ] + (examples.isEmpty ? [] : ["Examples:", examples.joined(separator: "\n")])
    return CommandConfiguration(
      commandName: "engage", abstract: "Spread a scan over all systems, and gather the results.",
      discussion: paragraphs.joined(separator: "\n\n"))
  }
}
