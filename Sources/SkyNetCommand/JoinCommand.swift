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
      that the code opens. A key that this account has already is kept as FILE.old; nodes and engagements that run \
      here change over by themselves.

      Every account of this machine can read the arguments of a command while it runs. Where others have accounts \
      here, leave the code out: it is asked for, or read from standard input. SKYNET_CODE can hold it, too.

      Exit status: 0 when this account has the key; 2 if it could not get it, with the reason.
      """)

  @Argument(help: ArgumentHelp("Where `\(Program.name) invite` runs.", valueName: "host:port"))
  var address: String

  @Argument(
    help: ArgumentHelp(
      "The code that it printed; - is standard input. (default: SKYNET_CODE, or standard input)"))
  var code: String?

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
  }

  func run() async throws {
    guard let endpoint = Endpoint(address) else { return }
    let code = try invitationCode()
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

  /// The code of the invitation. On standard input and in the variable it may be the whole line that was printed.
  ///
  /// - Throws: ``InvalidCommandLine`` if there is none. What is there is not repeated, as it may be most of a secret.
  private func invitationCode() throws -> InvitationCode {
    // An empty variable is how a container's manifest says "not set".
    let environment = ProcessInfo.processInfo.environment
    let variable = environment["SKYNET_CODE"].flatMap { $0.isEmpty ? nil : $0 }
    let (place, text) =
      switch (code, variable) {
      case (let code?, _) where code != "-": ("that is", code)
      case (nil, let variable?): ("SKYNET_CODE is", variable)
      default: ("standard input has", Self.line())
      }
    let word = text.split(whereSeparator: \.isWhitespace).last.map(String.init)
    guard let code = word.flatMap(InvitationCode.init) else {
      throw InvalidCommandLine(
        fault: "\(place) no code, which has \(InvitationCode.length) letters and digits: copy "
          + "the whole line that `\(Program.name) invite` printed",
        command: Self.self)
    }
    return code
  }

  /// The first line of standard input, or as much of it as is too long for a code.
  private static func line() -> String {
    if isatty(STDIN_FILENO) == 1 {
      Console.standardError.line("paste the code, then Enter:")
      Console.standardError.flush()
    }
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while line.count < 256 {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
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
