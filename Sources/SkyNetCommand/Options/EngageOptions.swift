package import ArgumentParser
import SkyFiles
import SkyNetCluster
import SkyNetCore
import SkyNetKit

package struct SystemOptions: ParsableArguments {
  package init() {}

  @Option(help: "The name that nodes show for this engagement. (default: the host's name)")
  package var name: String?

  @Option(
    parsing: .unconditional,
    help:
      """
      How many scans this command runs at a time. (default: 4, or the number of cores if that is larger, \
      or what its control group has room for; none while a node on this machine takes scans that keep processors \
      busy)
      """
  )
  package var slots: Int?

  @Flag(help: "Leave all scans to remote systems.")
  package var noLocal = false

  @Flag(
    help: """
      Lend this command's own slots to others that engage, for as long as this run lasts. Idle ones scan for them, and \
      one half is always this run's as soon as it wants it. A machine with a node needs no --serve.
      """)
  package var serve = false

  @Option(
    help: ArgumentHelp(
      """
      Listen here for nodes that dial this engagement with `\(Program.name) node --join`, in addition to connecting to \
      those that are found. With --serve, others are served here too. Port 0 is any free one.
      """, valueName: "[host:]port"), transform: NodeListenOption.init)
  var listen: NodeListenOption?

  /// How many scans this machine runs at a time.
  package var localSlots: Int { noLocal ? 0 : slots ?? Machine.slots }

  /// Whether a node on this machine is used instead of this command's own slots. If the user asked for slots,
  /// both are used.
  package var yieldsToNodesHere: Bool { !noLocal && slots == nil && !serve }

  @Option(
    parsing: .unconditional,
    help: """
      Start when N remote systems are connected, and name those that are; fail if that takes over 10 s, or over \
      twice --timeout if that is longer, or over --wait-timeout.
      """)
  package var waitFor = 0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "How long --wait-for may take. The command then fails, and begins with none."),
    transform: TimeOption.seconds)
  package var waitTimeout: Double?

  package func validate() throws {
    try Check.name(name)
    try Check.slots(slots)
    try Check.range("wait-for", waitFor, 0...Int.max)
    try Check.seconds("wait-timeout", waitTimeout)
    if waitTimeout != nil, waitFor == 0 {
      throw ValidationError("--wait-timeout is about the wait for systems: give --wait-for N too")
    }
    if noLocal, serve {
      throw ValidationError(
        "--serve lends this machine's slots to others, and --no-local leaves it without any: give one"
      )
    }
    if noLocal, slots != nil {
      throw ValidationError("--slots is for this machine, and --no-local leaves it out: give one")
    }
  }
}

struct FailureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      A system that sends nothing for this long is gone. Connecting, the handshake and the introduction \
      may take as long each. (default: 5s)
      """), transform: TimeOption.seconds)
  var timeout = 5.0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      A sector whose scan runs for longer is tried elsewhere. (default: what the kind of scan allows, which is \
      generous)
      """), transform: TimeOption.seconds)
  var scanTimeout: Double?

  @Option(parsing: .unconditional, help: "How many attempts of a sector may fail.")
  var attempts = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many tasks may be in flight at a time. (default: as many as the systems have room for)",
      visibility: .hidden))
  var inFlight: Int?

  var settings: EngagementSettings {
    EngagementSettings(
      attempts: attempts, inFlight: inFlight, scanTimeout: scanTimeout.map { .seconds($0) },
      // A handshake may take one timeout, and the introduction another.
      firstSystemTimeout: .seconds(max(10, 2 * timeout)))
  }

  func validate() throws {
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    try Check.seconds("scan-timeout", scanTimeout)
    try Check.range("attempts", attempts, 1...Int.max)
    try Check.range("in-flight", inFlight, 1...Int.max)
  }
}

package struct ResultOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The file for the results, a JSON object for each sector. - is standard output.",
      valueName: "file"), completion: .file())
  package var results: String?

  @Option(
    help: ArgumentHelp(
      """
      The file for the run's events, a JSON object for each: hand-outs, results, failures, systems that \
      come and go. - is standard output, where a reader that is too slow loses events.
      """, valueName: "file"), completion: .file())
  package var events: String?

  @Flag(
    help: """
      Print the results on standard output too. Where results go to a terminal or into a pipe, by this \
      option or by --results, there are lines instead of a panel.
      """)
  package var json = false

  @Flag(
    help: """
      Write the results in the order of the sectors. Each is kept in memory until those before it are there.
      """)
  package var inOrder = false

  @Flag(
    name: .shortAndLong,
    help: "Print the summary, failures and what is wrong, and nothing else: for cron.")
  package var quiet = false

  @Flag(
    help: """
      On a terminal, print each failure in a line of its own, all lines whole, and some of the completed sectors \
      every second. Of programs, print what they write to standard error, its last 4 KiB.
      """)
  package var verbose = false

  @Flag(
    help: ArgumentHelp(
      "Print how long tasks took from hand-out to result.", visibility: .hidden))
  package var latency = false

  /// The file for the results; `nil` if there is none, also where standard output gets them.
  package var resultsFile: String? { results == "-" ? nil : results }

  /// The option by which standard output gets the results; `nil` if it does not.
  package var printing: String? { json ? "json" : results == "-" ? "results" : nil }

  /// Whether a file or a program gets the results of single sectors, or what becomes of them.
  package var areWanted: Bool { sayWhere || events != nil }

  /// Whether an option says where the results go.
  var sayWhere: Bool { json || results != nil }

  package func validate() throws {
    if results == "" { throw ValidationError("--results is empty, but a file's name is needed") }
    if events == "" { throw ValidationError("--events is empty, but a file's name is needed") }
  }
}

package struct JournalOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Record the run in this file, and continue the run that it holds: the same command, started "
        + "again after it was killed, does the rest.", valueName: "file"), completion: .file())
  package var journal: String?

  @Flag(help: "Try the sectors again that failed according to the journal.")
  package var retryFailed = false

  package func validate() throws {
    if retryFailed, journal == nil {
      throw ValidationError("--retry-failed is about a journal's sectors: give --journal FILE too")
    }
    guard let journal else { return }
    if journal.isEmpty {
      throw ValidationError("--journal is empty, but a file's name is needed")
    }
    if case .descriptor = LinkEnd(output: journal) {
      throw ValidationError(
        "--journal \(journal) is open for this command alone, and a journal is a file that is read again: give a "
          + "file's name")
    }
  }
}
