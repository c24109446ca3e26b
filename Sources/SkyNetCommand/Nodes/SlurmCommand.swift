import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetKeys
import SkyNetKit

struct SlurmCommand<Offering: NodeOffering>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "slurm",
      abstract: "Start nodes as Slurm jobs, which meet in a shared directory.",
      discussion: """
        Each job runs one `\(Program.name) node`. `\(Program.name) engage --rendezvous DIR` finds them. A node leaves in time for the \
        job's limit, and hands back what it has not scanned; the sectors of a job that is cancelled, preempted or \
        killed are scanned elsewhere.

        With --count the command submits that many jobs, prints their number, and ends. With --max it stays and \
        adapts: it has as many jobs as there is work for, from --min to --max, and replaces those that end while work is \
        left. At Ctrl-C the jobs go on.

        What follows -- is for sbatch. The key has to be in a file that the compute nodes share, such as this \
        account's own; the job has its path alone. See SkyNet's docs/deploy/slurm.md.

        \(TimeOption.explanation)

        Examples:

          \(Program.name) nodes slurm --count 8 --time 2h -- --partition p --account x
          \(Program.name) nodes slurm --max 50 --time 1h --slots 16 --rendezvous /scratch/me
          \(Program.name) nodes slurm --count 8 --time 2h --dry-run

        Exits with 0 if the jobs are submitted; with 2 if they cannot be; after adapting with 130 or 143.
        """)
  }

  @Option(parsing: .unconditional, help: "How many nodes to start.")
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: "Adapt the number of nodes to the work: as many as this at most.")
  var max: Int?

  @Option(
    parsing: .unconditional,
    help: """
      With --max, as many at least. (default: 1. Nodes tell of the work: with 0, one that was started otherwise has \
      to.)
      """)
  var min: Int?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("The time limit of each job; Slurm rounds it up to minutes."),
    transform: TimeOption.seconds)
  var time: Double

  @Option(
    help: ArgumentHelp(
      "The shared directory in which nodes and engagements meet. (default: \(Self.defaultPlace), which is made)",
      valueName: "dir"))
  var rendezvous: String?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      How long before its limit a job is told to leave. Slurm may do so a minute earlier. With 0 it does not, and \
      the node goes by the time alone. (default: a tenth of --time, at most 2m)
      """), transform: TimeOption.seconds)
  var drain: Double?

  @Option(
    parsing: .unconditional,
    help: "How many scans each node runs at a time, each on a processor of its own. (default: 4)")
  var slots: Int?

  @Option(help: "The jobs' name.")
  var name = "\(Program.name)-node"

  @Option(
    help: ArgumentHelp(
      "The program on the compute nodes. (default: this one)", valueName: "file"))
  var program: String?

  @Option(
    help: ArgumentHelp("The directory for the jobs' logs. (default: DIR-logs)", valueName: "dir"))
  var logs: String?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      A node leaves when it has scanned nothing for this long. (default: 1m with --max, where --min nodes stay; \
      otherwise never)
      """), transform: TimeOption.seconds)
  var idleTimeout: Double?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("With --max, the time from one look to the next. (default: 10s)"),
    transform: TimeOption.seconds)
  var interval: Double?

  @Flag(help: "With --max, cancel the jobs at Ctrl-C.")
  var cancel = false

  @Flag(help: "Print the script and the sbatch command, and submit nothing.")
  var dryRun = false

  @OptionGroup var offering: Offering

  @OptionGroup var security: SecurityOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Options for sbatch, after --.", valueName: "sbatch-option"))
  var sbatchOptions: [String] = []

  private static var defaultPlace: String { "~/.local/state/\(Program.name)/slurm" }
  /// What adapts, and not the jobs' limits, keeps the number of nodes small.
  private static var mostNodes: Int { 10_000 }

  func validate() throws {
    try checkNumbers()
    try Check.seconds("time", time, atLeast: 60, atMost: 365 * 86_400)
    try Check.seconds("drain", drain, atLeast: 0, atMost: Swift.min(time - 1, 65_535))
    try Check.slots(slots)
    try Check.seconds("idle-timeout", idleTimeout, atLeast: 0.1, atMost: 365 * 86_400)
    try Check.seconds("interval", interval, atLeast: 1)
    guard !name.isEmpty, name.utf8.count <= 100,
      name.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
      })
    else {
      throw ValidationError(
        "--name is \"\(name)\", but 1 to 100 letters, digits and any of - _ . are needed")
    }
    for (flag, path) in [("rendezvous", rendezvous), ("logs", logs), ("program", program)] {
      guard let path else { continue }
      guard !path.isEmpty, !path.contains(where: { $0.isNewline || $0 == "|" }) else {
        throw ValidationError("--\(flag) is \"\(path)\", which is no path that Slurm could take")
      }
    }
    try SbatchOptions.check(sbatchOptions)
  }

  private func checkNumbers() throws {
    try Check.range("count", count, 1...Self.mostNodes)
    try Check.range("max", max, 1...Self.mostNodes)
    try Check.range("min", min, 0...Self.mostNodes)
    switch (count, max) {
    case (nil, nil) where min != nil:
      throw ValidationError("--min is given without --max: give both, to adapt, or --count N")
    case (nil, nil):
      throw ValidationError("give --count N, or --max N to have as many nodes as there is work for")
    case (_?, _) where max != nil || min != nil:
      throw ValidationError(
        "--count starts that many nodes, and --min and --max adapt their number: give one or the other"
      )
    case (nil, let max?):
      guard min ?? 1 <= max else {
        throw ValidationError(
          "--min is \(min ?? 1), but --max is \(max): give a --min of at most \(max)")
      }
    default: break
    }
    for (flag, isGiven) in [("interval", interval != nil), ("cancel", cancel)]
    where isGiven && max == nil {
      throw ValidationError("--\(flag) is for a number of nodes that adapts: give --max too")
    }
  }

  func run() async throws {
    // Nodes come and go here, which is worth no warning.
    LoggingSystem.bootstrap { _ in ConsoleLog(logLevel: .error, showsTime: false) }
    do {
      let script = try script()
      if dryRun { return try StandardOutput.write(preview(script)) }
      let slurm = try Slurm(options: sbatchOptions)
      try SlurmPlaces.prepare(
        script, makingDirectory: rendezvous == nil,
        keyFile: security.files.first?.path, .standardError)
      // Nodes that start at the same time find the key made.
      let transport = try security.transport(.standardError)
      if let max {
        let status = try await adapt(
          slurm, script, (min ?? 1)...max, transport: Transport(transport))
        Console.standardError.flush()
        throw status
      }
      try await submit(script, count ?? 1, by: slurm)
    } catch let status as ExitCode {
      throw status
    } catch {
      throw fail(error)
    }
    Console.standardError.flush()
  }

  // MARK: What is to run

  private func script() throws -> SlurmScript {
    let place = try rendezvous ?? SlurmPlaces.defaultDirectory()
    let directory = SlurmPlaces.absolute(place)
    return SlurmScript(
      name: name, program: try SlurmPlaces.program(program), directory: directory,
      logs: SlurmPlaces.absolute(logs ?? directory + "-logs"), time: time,
      drain: drain ?? Swift.min(120, time / 10), slots: slots ?? 4, isRequeued: max == nil,
      idleTimeout: idleTimeout ?? (max == nil ? nil : 60), nodeArguments: try nodeArguments())
  }

  private func nodeArguments() throws -> [String] {
    var words: [String] = []
    words += offering.arguments
    if security.insecure { return words + ["--insecure"] }
    if let certificate = security.tlsCertificate, let key = security.tlsKey,
      let authority = security.tlsCa
    {
      for (flag, file) in [("certificate", certificate), ("key", key), ("ca", authority)] {
        words += ["--tls-\(flag)", SlurmPlaces.absolute(file)]
      }
      return words
    }
    guard let file = try security.key.source().file else {
      throw SlurmPlaces.Fault.keyInEnvironment
    }
    return words + ["--key-file", SlurmPlaces.absolute(file.path)]
  }

  private func preview(_ script: SlurmScript) -> String {
    let words = ["sbatch", "--parsable"] + sbatchOptions
    return "\(words.map(ShellWord.quoted).joined(separator: " ")) <<'END'\n"
      + script.text(count: count ?? 1) + "END\n"
  }

  // MARK: Running it

  /// How to engage the nodes; from a login machine, which is not to scan itself.
  private func engageLine(_ script: SlurmScript) -> String {
    let membership =
      if security.insecure {
        ["--insecure"]
      } else if let file = security.key.keyFile {
        ["--key-file", file]
      } else {
        [String]()
      }
    let words =
      [Program.name, "engage", "--rendezvous", script.directory, "--no-local"] + membership
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  private func submit(_ script: SlurmScript, _ count: Int, by slurm: Slurm) async throws {
    let console = Console.standardError
    let numbers = try await slurm.submit(script, count: count)
    for number in numbers { try StandardOutput.write(line: number) }
    console.line(
      "submitted \(count) node\(count == 1 ? "" : "s") of \(script.slots) slots for "
        + "\(TimeOption.text(time)) each; their logs are in \(script.logs)")
    console.line("engage them: \(engageLine(script)) --wait-for \(count) …")
    console.line("end them: scancel \(numbers.joined(separator: " "))")
  }

  private func adapt(
    _ slurm: Slurm, _ script: SlurmScript, _ limits: ClosedRange<Int>, transport: Transport
  ) async throws -> ExitCode {
    try MemoryShortage.check("to connect", .toConnect())
    let settings = ClusterSettings(name: Machine.name, localSlots: 0)
    let interval = Duration.seconds(interval ?? 10)
    let console = Console.standardError
    console.line(
      "adapting: \(limits.lowerBound) to \(limits.upperBound) nodes; their logs are in \(script.logs)"
    )
    console.line("engage them: \(engageLine(script)) …")
    return try await Cluster.with(
      settings, scans: [], discoveries: [Rendezvous(script.directory)], transport: transport
    ) { [cancel] cluster in
      let run = AdaptiveRun(
        slurm: slurm, script: script, limits: limits, interval: interval, cancels: cancel)
      return try await run.run(with: cluster)
    }
  }
}
