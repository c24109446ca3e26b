import ArgumentParser
import Foundation
import SkyNetCore

/// Where the program begins: before there is a second thread, as there is after the first `await`.
@main
enum EntryPoint {
  static func main() {
    let addressesAreLimited = MemoryLimit.areAddressesLimited
    FreedMemory.keepSome(addressesAreLimited: addressesAreLimited)
    do {
      // Only then: looking it all up takes time.
      if addressesAreLimited { try MemoryShortage.check("to begin", .toBegin) }
    } catch {
      exit(fail(error).rawValue)
    }
    StandardOutput.hasNoSignal()
    StandardOutput.reservePlaces()
    ImageReader.startIfNeeded(by: CommandLine.arguments)
    Task { @MainActor in
      await SkyNet.perform()
      exit(0)
    }
    dispatchMain()
  }
}

struct SkyNet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skynet",
    abstract: "A zero-configuration cluster that scans a sky on every machine around.",
    discussion: """
      Run `skynet node` on each machine, then `skynet engage` on any of them: it finds the nodes, \
      spreads the sectors over all of them and itself, and loses none.

      An option is given once, unless its help says that it may be given several times.

      Exit status: 0 everything was scanned; 1 some sectors failed; 2 it could not run; 64 the \
      command line was wrong; 130 interrupted by Ctrl-C, 143 by SIGTERM or SIGHUP.
      """,
    version: "skynet \(SkyNetVersion.software) (protocol \(SkyNetVersion.wireProtocol))",
    subcommands: [
      NodeCommand.self, EngageCommand.self, SystemsCommand.self, RunsCommand.self,
      ScanCommand.self, MergeCommand.self, MakeSkyCommand.self, KeyCommand.self,
      ReaderCheckCommand.self,
    ])

  /// Does what the command line asks for; returns when that is done, and all went well.
  static func perform() async {
    do {
      var command = try await command(Array(CommandLine.arguments.dropFirst()))
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as WrongCommandLine {
      error.lines.forEach(Console.standardError.line)
      Console.standardError.flush()
      exit(withError: ExitCode.validationFailure)
    } catch {
      exit(withError: error)
    }
  }

  /// The command that a command line asks for.
  ///
  /// - Throws: ``WrongCommandLine``; what the parser throws, which may be a wish for help.
  static func command(_ arguments: [String]) async throws -> any ParsableCommand {
    let command = try await asyncParseAsRoot(arguments)
    do {
      try RepeatedOption.check(arguments, of: type(of: command))
      if let engage = command as? EngageCommand {
        try MisplacedOptions.check(arguments, of: engage.sky)
      }
    } catch let error where error is RepeatedOption || error is MisplacedOptions {
      throw WrongCommandLine(fault: "\(error)", command: type(of: command))
    }
    return command
  }
}
