import ArgumentParser
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery

/// The options of every node, whatever it offers.
struct NodeOptions: ParsableArguments {
  @Option(help: "The system's name. (default: the host's name)")
  var name: String?

  @Option(
    parsing: .unconditional,
    help: """
      How many scans run at a time. (default: 4, or the number of cores if that is larger, or what its \
      control group has room for)
      """)
  var slots: Int?

  @Option(parsing: .unconditional, help: "The port to listen on. (default: any free one)")
  var port: Int?

  @Option(help: "The address to listen on. (default: all)")
  var host: String?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      A peer that sends nothing for this long is gone. A peer that connects has the same time, and at \
      least 5 s, to show that it is a member. (default: 5s)
      """), transform: TimeOption.seconds)
  var timeout = 5.0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "How long running scans may take to finish when the node is stopped. (default: 10s)"),
    transform: TimeOption.seconds)
  var drainTimeout = 10.0

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      Be gone when the process is this old, as for a batch job with a time limit. The node starts nothing \
      that usually takes longer than what is left, leaves when nothing fits any more, and exits with 0.
      """), transform: TimeOption.seconds)
  var lifetime: Double?

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      """
      Leave, and exit with 0, when no scan has run or waited for this long; clients may be connected. A node that \
      is drained by request, or through which others are reached, stays.
      """),
    transform: TimeOption.seconds)
  var idleTimeout: Double?

  @Flag(help: "Neither advertise this node nor look for others by DNS-SD.")
  var noDiscovery = false

  @Option(
    help: ArgumentHelp(
      """
      Write this node's addresses to a file in this directory, where programs with the same option look for nodes: \
      one on a shared file system.
      """, valueName: "dir"), completion: .directory)
  var rendezvous: String?

  @Option(
    help: ArgumentHelp(
      """
      Dial what listens here, again and again: engagements (`\(Program.name) engage --listen`), or a node, through which \
      engagements then reach this one. A host:port, or the name of a service with SRV records, and more after \
      commas. For a node that nothing can connect to. It may be given several times.
      """,
      valueName: "host:port,…"),
    transform: PeerOptions.references)
  var join: [[PeerReference]] = []

  @Flag(help: "With --join, only dial: do not listen, nor advertise this node.")
  var noListen = false

  @Option(
    help: "The least level to log: \(LogLevel.names). (default: info)",
    completion: .list(Logger.Level.allCases.map(\.rawValue)), transform: LogLevel.level)
  var logLevel = Logger.Level.info

  /// Where the node listens.
  var endpoint: Endpoint {
    host.map { Endpoint(host: $0, port: port ?? 0) } ?? .everywhere(port: port ?? 0)
  }

  /// Ten years, in seconds.
  private static let longestLife = 3650 * 86_400.0

  func validate() throws {
    try Check.name(name)
    try Check.slots(slots)
    try Check.range("port", port, 1...65_535)
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    try checkReachability()
    try Check.seconds("drain-timeout", drainTimeout, atLeast: 0)
    try Check.seconds("lifetime", lifetime, atLeast: 1, atMost: Self.longestLife)
    try Check.seconds("idle-timeout", idleTimeout, atLeast: 0.1, atMost: Self.longestLife)
  }

  private func checkReachability() throws {
    if rendezvous == "" {
      throw ValidationError("--rendezvous is empty, but a directory's name is needed")
    }
    guard noListen else { return }
    if join.allSatisfy(\.isEmpty) {
      throw ValidationError(
        "--no-listen leaves no way to this node: name engagements or nodes to dial with --join host:port,…, or "
          + "leave it out")
    }
    for (name, isGiven) in [
      ("port", port != nil), ("host", host != nil), ("rendezvous", rendezvous != nil),
    ] where isGiven {
      throw ValidationError(
        "--\(name) is for a node that listens, and with --no-listen it does not")
    }
  }
}

private enum LogLevel {
  static let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

  static func level(_ name: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: name) else {
      throw ValidationError("\"\(name)\" is none of \(names)")
    }
    return level
  }
}
