import ArgumentParser
import Foundation
import SkyCatalog
import Synchronization

/// The program's entry point. `main` is synchronous because the first `await` would start a second
/// thread.
@main
enum EntryPoint {
  static func main() {
    // Before anything that takes time: scripts ask for the version of every program that they use.
    if CommandLine.arguments.dropFirst() == ["--version"] {
      print(BuildVersion.text)
      exit(0)
    }
    let addressesAreLimited = MemoryLimit.areAddressesLimited
    Allocator.keepFreedMemory(addressesAreLimited: addressesAreLimited)
    do {
      // Checked only with a limit on addresses, since looking all limits up takes time.
      if addressesAreLimited { try MemoryShortage.check("to begin", .toBegin) }
    } catch {
      exit(failHere(error).rawValue)
    }
    StandardOutput.ignoreBrokenPipes()
    StandardOutput.reserveDescriptors()
    NamedPipe.whenWaiting.withLock {
      $0 = { path in
        Console.standardError.line("waiting for the program at the other end of the pipe \(path)")
        Console.standardError.flush()
      }
    }
    ImageReader.startIfNeeded(by: CommandLine.arguments)
    do {
      // After the fork of the readers, which comes before any thread.
      try ThreadShortage.check(ThreadNeed.toBegin)
    } catch {
      exit(failHere(error).rawValue)
    }
    Task { @MainActor in
      await SkyNet.perform()
      exit(0)
    }
    dispatchMain()
  }
}

struct SkyNet: AsyncParsableCommand {
  /// What the parser's errors begin with: the same as all others.
  static let _errorPrefix = "error: "

  static let configuration = CommandConfiguration(
    commandName: "skynet",
    abstract: "A zero-configuration cluster that scans a sky on every machine around.",
    discussion: """
      Run `skynet node` on each machine, then `skynet engage` on any of them: it finds the nodes, \
      spreads the sectors over all of them and itself, and loses none.

      Give an option once, unless its help says that it may be given several times.

      Exit status: 0 every sector was scanned; 1 some sectors failed; 2 the command could not run; 64 \
      the command line was wrong; 130 interrupted by Ctrl-C, 143 by SIGTERM or SIGHUP.
      """,
    version: BuildVersion.text,
    subcommands: [
      NodeCommand.self, EngageCommand.self, WatchCommand.self, SystemsCommand.self,
      DrainCommand.self, UndrainCommand.self, RunsCommand.self, ReportCommand.self,
      ReplayCommand.self, ScanCommand.self, MergeCommand.self, MakeSkyCommand.self,
      NodesCommand.self, InviteCommand.self, JoinCommand.self, KeyCommand.self,
      ReaderCheckCommand.self,
    ])

  /// Runs the command that the command line asks for. Returns if it succeeded; otherwise exits.
  static func perform() async {
    do {
      var command = try await command(Array(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as InvalidCommandLine {
      error.lines.forEach(Console.standardError.line)
      Console.standardError.flush()
      exit(withError: ExitCode.validationFailure)
    } catch {
      exit(withError: error)
    }
  }

  /// The command that a command line asks for.
  ///
  /// - Throws: ``InvalidCommandLine``; the parser's errors, which include the request for help.
  static func command(_ arguments: [String]) async throws -> any ParsableCommand {
    do {
      try UnknownCommand.check(arguments, of: SkyNet.self)
    } catch {
      throw InvalidCommandLine(fault: "\(error)", command: error.parent)
    }
    let command =
      if let alone = parsedAlone(arguments) { alone } else { try await asyncParseAsRoot(arguments) }
    do {
      try RepeatedOption.check(arguments, of: type(of: command))
      if let engage = command as? EngageCommand {
        try MisplacedOptions.check(arguments, of: engage.input)
      }
    } catch let error where error is RepeatedOption || error is MisplacedOptions {
      throw InvalidCommandLine(fault: "\(error)", command: type(of: command))
    }
    return command
  }

  /// The command that a command line asks for, parsed without its parent and its siblings, whose declarations the
  /// parser would read too: that takes longer than the scan of a small image. `nil` if the command line is wrong or
  /// asks for help, for then the parser's text tells of all commands; and if it names none that stands alone.
  private static func parsedAlone(_ arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.first,
      let command = configuration.subcommands.first(where: { $0.configuration.commandName == name }
      ),
      command.configuration.subcommands.isEmpty
    else { return nil }
    guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())),
      type(of: parsed) == command
    else { return nil }
    return parsed
  }
}
