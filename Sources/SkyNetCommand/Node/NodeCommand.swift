import ArgumentParser

/// `skynet node`, with the options that its workloads take.
struct NodeCommand<Offering: NodeOffering>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "node", abstract: "Run scans for engagements on this machine, until stopped.",
      discussion: """
        At SIGTERM, Ctrl-C, or when its terminal is closed (SIGHUP, unless nohup has it ignored), the \
        node takes no new scans, finishes those that run (within --drain-timeout) and exits with 0; a \
        second signal ends it within a second. With --lifetime and --idle-timeout it leaves so by itself. \
        `\(Program.name) drain NAME` takes it out of work while it stays up.

        \(TimeOption.explanation)

        Examples:

        \(examples.map { "  \(Program.name) node\($0)" }.joined(separator: "\n"))
        """)
  }

  private static var examples: [String] {
    [
      "", " --name ada --slots 8", " --port 7777 --no-discovery",
      " --metrics 9464 --log-format json", " --lifetime 2h --drain-timeout 5m",
    ] + Offering.examples.map { " \($0)" }
  }

  @OptionGroup var options: NodeOptions
  @OptionGroup var security: SecurityOptions
  @OptionGroup(title: "In a browser") var page: PageOptions
  @OptionGroup var log: LogFormatOption
  @OptionGroup var observing: MetricsOptions
  @OptionGroup var offering: Offering

  func run() async throws {
    let node = NodeRun(
      options: options, security: security, page: page, log: log, observing: observing)
    try await node.run { try offering.offer(withholding: $0) }
  }
}
