import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport

struct InviteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Let another machine in: print the command to run there.",
    discussion: """
      It prints one line, such as

        skynet join 192.168.1.20:40123 7h2wq04zj9xk5c8v3f1m6d0t2e

      to be run on the other machine, and waits until that was done. The code is good for ten minutes and \
      one use; the machine that has it gets the cluster's key. No node needs to run. Neither side asks anything.

      Exit status: 0 when the other machine has the key; 1 when the key was sent, and the other machine did \
      not confirm it; 2 when the invitation was closed without use: its time was over, or three peers had \
      a wrong code; 130 at Ctrl-C.
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
    parsing: .unconditional, help: ArgumentHelp("For how many seconds.", visibility: .hidden))
  var lifetime = 600.0

  func validate() throws {
    try Check.range("port", port, 1...65_535)
    try Check.range("lifetime", lifetime, 0.1...86_400)
    // An address of IPv6 has two colons at least; one colon would be before a port.
    if let host,
      Endpoint(Endpoint(host: host, port: 1).description)?.host != host
        || host.count(where: { $0 == ":" }) == 1
    {
      throw ValidationError(
        "--host is \"\(host.showingControls)\", which is neither a name nor an address; the port is "
          + "given with --port")
    }
  }

  func run() async throws {
    let console = Console.standardError
    do {
      let keys = try key.source().keys(reportingTo: console)
      let code = InvitationCode()
      let invitation = try await Invitation.open(port: port ?? 0, code: code, keys: keys)
      defer { invitation.close() }
      try await announce(invitation.endpoint.port, code, console)
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
    _ port: Int, _ code: InvitationCode, _ console: Console
  ) async throws {
    let addresses = await OwnAddresses.all
    let endpoint = Endpoint(host: host ?? addresses[0], port: port)
    try StandardOutput.write(line: "skynet join \(endpoint) \(code.text)")
    console.line(
      "run this line on the other machine; it is good for \(Duration.seconds(lifetime).inWords) and "
        + "one use")
    let others = host == nil ? addresses.dropFirst() : []
    if !others.isEmpty {
      console.line(
        "this machine is also \(others.joined(separator: ", ")): --host chooses the address")
    }
    if host == nil, endpoint.host.hasPrefix("127.") {
      console.line(
        "this machine has no address but \(endpoint.host), which other machines do not reach",
        level: .warning)
    }
    console.flush()
  }

  /// Tells what happens to the invitation, and returns the exit status when it has ended.
  private func serve(_ invitation: Invitation, _ console: Console) async -> ExitCode {
    await withTaskGroup(of: ExitCode?.self) { group in
      group.addTask {
        try? await Task.sleep(for: .seconds(lifetime))
        invitation.expire()
        return nil
      }
      group.addTask {
        var status: ExitCode?
        await Signals.watch { _, received in
          status = received
          return false
        }
        return status
      }
      group.addTask { await tell(invitation.news, console) }
      defer { group.cancelAll() }
      for await status in group {
        if let status {
          if status == .interrupted || status == .terminated {
            console.line("the invitation is closed; it was not used")
          }
          return status
        }
      }
      return .couldNotRun
    }
  }

  private func tell(
    _ news: AsyncStream<Invitation.News>, _ console: Console
  ) async -> ExitCode? {
    for await item in news {
      defer { console.flush() }
      switch item {
      case .wrongCode(let host, let left) where left > 0:
        console.line(
          "a wrong code from \(host): \(left) more close\(left == 1 ? "s" : "") the invitation",
          level: .warning)
      case .wrongCode(let host, _): console.line("a wrong code from \(host)", level: .warning)
      case .refused(let host, let reason):
        console.line("a connection from \(host) was refused: \(reason)", level: .warning)
      case .ended(.used(let host)):
        console.line("\(host) has the key now")
        return .success
      case .ended(.unconfirmed(let host)):
        console.line(
          "the key was sent to \(host), which did not confirm it: if it says that it failed, invite "
            + "it again", level: .error)
        return .keyUnconfirmed
      case .ended(.wrongCodes):
        console.line(
          "the invitation is closed, as there were three wrong codes: start another one",
          level: .error)
        return .couldNotRun
      case .ended(.expired):
        console.line(
          "the invitation has expired, and was not used: start another one", level: .error)
        return .couldNotRun
      }
    }
    return nil
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
