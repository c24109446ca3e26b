import ArgumentParser
import SkyNetCore
import Synchronization

/// The program that this process is. The parser makes commands of nothing, so they look it up here.
package enum Program {
  private static let program = Mutex<(any SkyNetProgram.Type)?>(nil)

  package static func become(_ program: any SkyNetProgram.Type) {
    self.program.withLock { $0 = program }
    ProgramName.become(program.name)
  }

  /// `nil` in tests of this room, which have no program.
  private static var current: (any SkyNetProgram.Type)? { program.withLock { $0 } }

  package static var name: String { ProgramName.text }
  static var abstract: String { current?.abstract ?? "" }
  package static var workloads: Workloads { Workloads(all: current?.workloads ?? []) }

  /// Runs the command that the command line asks for. Returns if it succeeded; otherwise exits.
  static func perform(_ arguments: [String]) async {
    let root = root(for: arguments)
    do {
      var command = try await command(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as InvalidCommandLine {
      error.lines(in: root).forEach(Console.standardError.line)
      Console.standardError.flush()
      root.exit(withError: ExitCode.validationFailure)
    } catch {
      root.exit(withError: error)
    }
  }

  /// All commands, with the form of `engage` that the command line asks for.
  static func root(for arguments: [String]) -> any AsyncParsableCommand.Type {
    func root<Engage: ParsableCommand>(_: Engage.Type) -> any AsyncParsableCommand.Type {
      Commands<Engage>.self
    }
    return root(workloads.engageCommand(for: arguments))
  }

  /// The command that a command line asks for.
  ///
  /// - Throws: ``InvalidCommandLine``; the parser's errors, which include the request for help.
  static func command(_ arguments: [String]) async throws -> any ParsableCommand {
    let root = root(for: arguments)
    do {
      try UnknownCommand.check(arguments, of: root)
    } catch {
      throw InvalidCommandLine(fault: "\(error)", command: error.parent)
    }
    if let fault = OptionFile.fault(
      in: arguments, inputs: workloads.all.flatMap { $0.choosers })
    {
      throw InvalidCommandLine(fault: fault, command: asked(by: arguments, of: root))
    }
    if let request = HelpRequest(arguments) {
      if request.isBrief { throw CleanExit.message(BriefHelp(arguments, workloads, in: root).text) }
      // The parser would ask for the value of a chooser first.
      throw CleanExit.message(
        root.helpMessage(
          for: workloads.engageCommand(for: arguments), includeHidden: request.showsHidden))
    }
    if let command = ownReader(arguments, of: root) { return command }
    if let fault = OddWord.fault(in: arguments, inputs: workloads.all.flatMap { $0.choosers }) {
      throw InvalidCommandLine(fault: fault, command: asked(by: arguments, of: root))
    }
    let command = try await parsed(arguments, by: root)
    do {
      try RepeatedOption.check(arguments, of: type(of: command))
    } catch let error as RepeatedOption {
      throw InvalidCommandLine(fault: "\(error)", command: type(of: command))
    }
    return command
  }

  /// The command that a command line asks for, if it is one that reads its words itself.
  private static func ownReader(
    _ arguments: [String], of root: any ParsableCommand.Type
  ) -> (any ParsableCommand)? {
    // Names first: to ask a type whether it conforms, the runtime searches all conformances of the program.
    guard let name = arguments.first,
      let command = root.configuration.subcommands.first(where: {
        $0.configuration.commandName == name
      }) as? any ReadsWords.Type
    else { return nil }
    return command.init(words: Array(arguments.dropFirst()))
  }

  private static func parsed(
    _ arguments: [String], by root: any AsyncParsableCommand.Type
  ) async throws -> any ParsableCommand {
    if let alone = parsedAlone(arguments, of: root) { return alone }
    do {
      return try await root.asyncParseAsRoot(arguments)
    } catch {
      let text = root.message(for: error)
      let unknown = text.firstMatch(of: /^Unknown option '([^']+)'/).map { String($0.1) }
      // A word that the parser took for a value, or missed one before, is no option of another workload.
      let isOfValue = text.contains(/^Missing value|^The value '/)
      if let fault = MissingValue.fault(text, arguments) {
        throw InvalidCommandLine(fault: fault, command: workloads.engageCommand(for: arguments))
      }
      let asked = asked(by: arguments, of: root)
      if let fault = InvalidValue.fault(text, of: asked) {
        throw InvalidCommandLine(fault: fault, command: asked)
      }
      guard arguments.first == "engage", !isOfValue,
        let fault = workloads.foreign(text, arguments) ?? workloads.misplaced(arguments)
          ?? workloads.unexpected(text, arguments)
          ?? unknown.flatMap({ workloads.misspelled($0, in: arguments) })
      else { throw error }
      throw InvalidCommandLine(fault: fault, command: workloads.engageCommand(for: arguments))
    }
  }

  /// The command that the first words of a command line name.
  private static func asked(
    by arguments: [String], of root: any ParsableCommand.Type
  ) -> any ParsableCommand.Type {
    var command = root
    for word in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0.name == word }) else {
        break
      }
      command = next
    }
    return command
  }

  /// The command that a command line asks for, parsed without its parent and its siblings, whose declarations the
  /// parser would read too: that takes longer than a small job. `nil` if the command line is wrong or
  /// asks for help, for then the parser's text tells of all commands; and if it names none that stands alone.
  private static func parsedAlone(
    _ arguments: [String], of root: any ParsableCommand.Type
  ) -> (any ParsableCommand)? {
    guard let name = arguments.first,
      let command = root.configuration.subcommands.first(where: {
        $0.configuration.commandName == name
      }),
      command.configuration.subcommands.isEmpty
    else { return nil }
    guard let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())),
      type(of: parsed) == command
    else { return nil }
    return parsed
  }
}
