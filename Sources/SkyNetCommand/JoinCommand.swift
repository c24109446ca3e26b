import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport

struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Make this account a member, by the line of `\(Program.name) invite`.",
    discussion: """
      It gets the cluster's key from the machine where `\(Program.name) invite` runs, over an encrypted connection \
      that the code opens. It asks nothing. A key that this account has already is kept as FILE.old; nodes \
      and engagements that run here change over by themselves.

      Exit status: 0 when this account has the key; 2 if it could not get it, with the reason.
      """)

  @Argument(help: ArgumentHelp("Where `\(Program.name) invite` runs.", valueName: "host:port"))
  var address: String

  @Argument(help: "The code that it printed.")
  var code: String

  @OptionGroup var key: KeyFileOption

  @Option(
    parsing: .unconditional,
    help: TimeOption.help(
      "How long connecting, the handshake and the answer may take each. (default: 10s)"),
    transform: TimeOption.seconds)
  var timeout = 10.0

  func validate() throws {
    try Check.seconds("timeout", timeout, atLeast: Hello.minimumTimeoutSeconds)
    guard Endpoint(address) != nil else {
      throw ValidationError(
        "\"\(address.showingControls)\" is not HOST:PORT: copy the whole line that `\(Program.name) invite` "
          + "printed")
    }
    // The code is a secret, so it is not repeated.
    guard InvitationCode(code) != nil else {
      throw ValidationError(
        "that is no code, which has \(InvitationCode.length) letters and digits: copy the whole line "
          + "that `\(Program.name) invite` printed")
    }
  }

  func run() async throws {
    guard let endpoint = Endpoint(address), let code = InvitationCode(code) else { return }
    try ThreadShortage.checkToConnect()
    let console = Console.standardError
    do {
      let source = try key.source()
      let file = try key.file()
      // Before the invitation is used up.
      try file.checkReplaceable()
      let former = try? file.readAll()
      let (keys, old) = try await Joining.join(
        endpoint, code: code, timeout: .seconds(timeout)
      ) { keys in
        (keys, try file.replace(with: keys))
      }
      tell(keys, former, old, in: file, console)
      if let note = source.ownKeyNote() { console.line(note) }
      console.flush()
    } catch {
      throw fail(error)
    }
  }

  private func tell(
    _ keys: ClusterKeys, _ former: ClusterKeys?, _ old: KeyFile?, in file: KeyFile,
    _ console: Console
  ) {
    let member = file == .shared ? "this machine" : "this account"
    let already = keys == former ? " already" : ""
    console.line("\(member) is a member\(already): \(KeyCommand.holding(keys, in: file))")
    if let old {
      let name = former.map { "the key that was there, \($0)," } ?? "what was there"
      console.line("\(name) is in \(old.path)")
    }
    if old != nil || former.map({ $0 != keys }) == true {
      console.line(KeyCommand.changingOver)
    }
    let node =
      file == .shared ? "sudo systemctl enable --now skynet-node" : "\(Program.name) node"
    console.line("to scan for the cluster, unless it does already: \(node)")
  }
}
