import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery
import SkyNetKeys
import SkyNetTransport

struct InviteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Let another machine in: print the command to run there.",
    discussion: """
      It prints one line, such as

        \(Program.name) join 192.168.1.20:40123 7h2wq04zj9xk5c8v3f1m6d0t2c

      to be run on the other machine, and waits until that was done. The code is good for ten minutes and \
      one use; the machine that has it gets the cluster's key. No node needs to run. Neither side asks anything.

      Exit status: 0 when the other machine has the key; 1 when the key was sent, and the other machine did \
      not confirm it, also at Ctrl-C; 2 when the invitation was closed without use: its time was over, three \
      peers had a wrong code, or the key could not be read any more; 130 at Ctrl-C before its use.
      """)

  @Option(
    help: ArgumentHelp(
      "The name or address by which the other machine reaches this one. (default: this machine's "
        + "address)"))
  var host: String?

  @Option(parsing: .unconditional, help: "The port to listen on. (default: any free one)")
  var port: Int?

  @OptionGroup var key: KeyFileOption

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "How long the other machine may take to show that it has the code; at least 5 s. (default: 5s)"
    ), transform: TimeOption.seconds)
  var timeout = 5.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("For how many seconds.", visibility: .hidden))
  var lifetime = 600.0

  func validate() throws {
    try Check.range("port", port, 1...65_535)
    try Check.range("lifetime", lifetime, 0.1...86_400)
    try Check.seconds(
      "timeout", timeout, atLeast: UnauthenticatedLimits.minimumHandshakeTimeout.inSeconds)
    if let host, !Self.isReachable(host) {
      throw ValidationError(
        "--host is \"\(host.showingControls)\", which is neither a name nor an address by which another "
          + "machine reaches this one; the port is given with --port")
    }
  }

  /// Whether the line that is printed can have this host.
  private static func isReachable(_ host: String) -> Bool {
    // An address of IPv6 has two colons at least; one colon would be before a port.
    Endpoint(Endpoint(host: host, port: 1).description)?.host == host
      && host.count(where: { $0 == ":" }) != 1 && !host.hasPrefix("-")
      && !host.contains { $0.isWhitespace || $0.isNewline }
      // These stand for all of a machine's own addresses.
      && !["::", "0.0.0.0"].contains(host)
  }

  func run() async throws {
    let console = Console.standardError
    try ThreadShortage.checkToConnect()
    do {
      let source = try key.source()
      // A fault shows now, and not when a peer comes. What is handed over is what is there then.
      _ = try source.keys(reportingTo: console)
      let code = InvitationCode()
      let invitation = try await Invitation.open(
        port: port ?? 0, code: code, keys: { try source.readAgain() },
        limits: UnauthenticatedLimits(peerTimeout: .seconds(timeout)))
      defer { invitation.close() }
      try announce(invitation.endpoint.port, code, source, console)
      let status = await serve(invitation, console)
      console.flush()
      guard status == .success else { throw status }
    } catch let status as ExitCode {
      throw status
    } catch {
      throw fail(error)
    }
  }

  private func announce(
    _ port: Int, _ code: InvitationCode, _ source: KeySource, _ console: Console
  ) throws {
    let addresses = MachineAddresses.all
    let endpoint = Endpoint(host: host ?? addresses.first ?? "127.0.0.1", port: port)
    try StandardOutput.write(line: "\(Program.name) join \(endpoint) \(code.text)")
    console.line(
      "run this line on the other machine; it is good for \(Duration.seconds(lifetime).inWords) and "
        + "one use")
    if source.file == .shared {
      console.line("where a node runs as a service, begin it with sudo: the key is the machine's")
    }
    if let note = source.ownKeyNote() { console.line(note) }
    let others = host == nil ? addresses.dropFirst() : []
    if host == nil, endpoint.isLoopback {
      console.line(
        "this machine has no address but \(endpoint.host), which other machines do not reach",
        level: .warning)
    } else if !others.isEmpty {
      console.line(
        "this machine is also \(others.joined(separator: ", ")): --host chooses the address")
    }
    console.flush()
  }

  private enum Event {
    case ended(InvitationEnding)
    case signal(ExitCode)
  }

  /// Tells what happens to the invitation, and returns the exit status when it has ended.
  private func serve(_ invitation: Invitation, _ console: Console) async -> ExitCode {
    await withTaskGroup(of: Event?.self) { group in
      group.addTask {
        try? await Task.sleep(for: .seconds(lifetime))
        invitation.expire()
        return nil
      }
      group.addTask {
        var event: Event?
        await Signals.watch { _, status in
          event = .signal(status)
          return false
        }
        return event
      }
      group.addTask { await tell(invitation.news, console).map { .ended($0) } }
      defer { group.cancelAll() }
      var signal = ExitCode.interrupted
      for await event in group {
        switch event {
        case .signal(let status):
          signal = status
          // What has become of the keys is the last news.
          invitation.withdraw()
        case .ended(let ending): return conclude(ending, signal: signal, console)
        case nil: break
        }
      }
      return .couldNotRun
    }
  }

  /// Tells the news until the last one, and returns that.
  private func tell(
    _ news: AsyncStream<Invitation.News>, _ console: Console
  ) async -> InvitationEnding? {
    var log = RefusalLog()
    for await item in news {
      defer { console.flush() }
      switch item {
      case .wrongCode(let host, let left) where left > 0:
        console.line(
          "a wrong code from \(host): \(left) more close\(left == 1 ? "s" : "") the invitation",
          level: .warning)
      case .wrongCode(let host, _): console.line("a wrong code from \(host)", level: .warning)
      case .refused(let host, let reason):
        let verdict = log.verdict(on: Refusal(host: host, reason: reason), at: SteadyClock().now)
        guard verdict != .suppress else { continue }
        console.line("a connection from \(host) was refused: \(reason)", level: .warning)
        if verdict == .logLast {
          console.line(
            "many connections were refused; further ones are not told of for ten minutes",
            level: .warning)
        }
      case .ended(let ending): return ending
      }
    }
    return nil
  }

  /// Says how the invitation has ended.
  ///
  /// - Parameter signal: the status of one that a signal has closed.
  private func conclude(
    _ ending: InvitationEnding, signal: ExitCode, _ console: Console
  ) -> ExitCode {
    switch ending {
    case .used(let host):
      console.line("\(host) has the key now")
      return .success
    case .unconfirmed(let host):
      console.line(
        "the key was sent to \(host), which did not confirm it: if it says that it failed, invite "
          + "it again", level: .error)
      return .keyUnconfirmed
    case .unreadable(let reason):
      console.line(
        "the invitation is closed, and no key was sent: \(reason). Then start another one",
        level: .error)
    case .wrongCodes:
      console.line(
        "the invitation is closed, as there were three wrong codes: start another one",
        level: .error)
    case .expired:
      console.line(
        "the invitation has expired, and was not used: start another one", level: .error)
    case .withdrawn:
      console.line("the invitation is closed; it was not used")
      return signal
    }
    return .couldNotRun
  }
}

extension ExitCode {
  /// An invitation's key was sent, and the peer did not confirm it.
  fileprivate static let keyUnconfirmed = ExitCode(1)
}

extension Duration {
  /// Whole minutes where it has some, else seconds.
  fileprivate var inWords: String {
    let seconds = components.seconds
    guard seconds >= 60, seconds % 60 == 0 else { return "\(inTenths) s" }
    return seconds == 60 ? "one minute" : "\(seconds / 60) minutes"
  }
}
