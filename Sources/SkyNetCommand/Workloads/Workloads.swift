package import ArgumentParser
import Foundation
import SkyFiles
package import SkyNetCore
package import SkyNetJournal

/// The workloads of a program, in the order in which they are asked whether a command line chooses them. The last one
/// is the default.
package struct Workloads {
  package let all: [any Workload.Type]

  /// The workload that an option on the command line chooses, or `--`; `nil` if none does.
  package func chosen(by arguments: [String]) -> (any Workload.Type)? {
    let given = Set(GivenOption.all(in: arguments).map(\.name))
    let hasWords = arguments.contains("--")
    return all.first { !given.isDisjoint(with: $0.choosers) || hasWords && $0.takesWords }
  }

  /// The workload of a command line: the chosen one, or the default.
  package func workload(of arguments: [String]) -> any Workload.Type {
    chosen(by: arguments) ?? all[all.count - 1]
  }

  /// Why a command line is wrong that has options of a workload other than its own; `nil` if it has none.
  ///
  /// - Parameter arguments: a command line that the parser has refused.
  package func misplaced(_ arguments: [String]) -> String? {
    let ours = workload(of: arguments)
    let known = DeclaredOptions(of: ours.engageCommand).names
    var seen: Set<String> = []
    let given = GivenOption.all(in: arguments).map(\.name).filter { seen.insert($0).inserted }
    var isAskedBefore = true
    for other in all {
      guard other != ours else {
        isAskedBefore = false
        continue
      }
      // An option that chooses a workload is meant as that one's.
      let chosen = all.filter { $0 != other && $0 != ours }.flatMap { $0.choosers }
      let foreign = DeclaredOptions(of: other).names.subtracting(known).subtracting(chosen)
      let options = given.filter(foreign.contains)
      guard !options.isEmpty else { continue }
      let (are, them) = options.count > 1 ? ("are", "them") : ("is", "it")
      // Several workloads may have the options.
      let owners =
        options.contains(where: other.choosers.contains)
        ? [other]
        : all.filter { $0 != ours && DeclaredOptions(of: $0).names.isSuperset(of: options) }
      let purposes = owners.map { $0.purpose }.joinedByAnd
      let fault = "\(options.joinedByAnd) \(are) for \(purposes)"
      // The first of the options would choose the other workload.
      guard !isAskedBefore else {
        return "\(fault): give \(owners.map { $0.invitation }.joined(separator: " or ")) too"
      }
      let chooser = given.first(where: ours.choosers.contains) ?? ours.invitation
      return options.allSatisfy(other.choosers.contains)
        ? "\(fault), and \(chooser) is for \(ours.purpose): leave out one"
        : "\(fault): leave \(them) or \(chooser) out"
    }
    return nil
  }

  /// Why a command line is wrong that has words of other programs, with what to type for each; `nil` if it has none.
  ///
  /// - Parameter text: what the parser says of it.
  package func foreign(_ text: String, _ arguments: [String]) -> String? {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    // What follows a program is the program's own, but for the inputs that parallel has behind it.
    let program = Self.placeOfProgram(text, arguments) ?? end
    let faults = arguments[..<end].enumerated().compactMap { place, word -> String? in
      guard place < program || !word.hasPrefix("-") else { return nil }
      return all.lazy.compactMap { $0.instead(of: word) }.first.map {
        "there is no \(word.showingControls) here: \($0)"
      }
    }
    return faults.isEmpty ? nil : faults.joined(separator: "; ")
  }

  /// Why a command line is wrong that names a program without `--` before it; `nil` if it does not.
  ///
  /// - Parameter text: what the parser says of it.
  package func unexpected(_ text: String, _ arguments: [String]) -> String? {
    guard let other = all.first(where: { $0.takesWords }), !arguments.contains("--"),
      let place = Self.placeOfProgram(text, arguments)
    else { return nil }
    let line = Array(arguments[..<place]) + ["--"] + Array(arguments[place...])
    let typed = line.map { ShellWord.quoted($0) }.joined(separator: " ")
    return
      "\(ShellWord.quoted(arguments[place])) is no option: for \(other.purpose), a program and its arguments come after --, as in \(Program.name) \(typed)"
  }

  private static func placeOfProgram(_ text: String, _ arguments: [String]) -> Int? {
    if let found = text.firstMatch(
      of: /^(?:Unexpected argument|\d+ unexpected arguments:) '([^']*)'/),
      let place = arguments.firstIndex(of: String(found.1)), place > 0
    {
      return place
    }
    // An option that nobody knows may be the program's.
    guard text.hasPrefix("Unknown option") else { return nil }
    return arguments.indices.dropFirst().first {
      arguments[$0].hasSlash && !arguments[$0].hasPrefix("-")
        && access(arguments[$0], X_OK) == 0 && !FileIdentity.isFolder(arguments[$0])
    }
  }

  /// What a command line says instead of an option that no workload has, if it is one of another workload that was
  /// probably meant; `nil` if it is not. The parser knows the workload's own options.
  ///
  /// - Parameter name: the option as it was given, with its dashes.
  package func misspelled(_ name: String, in arguments: [String]) -> String? {
    let known = DeclaredOptions(of: workload(of: arguments).engageCommand).names
    let names = all.reduce(into: known) { $0.formUnion(DeclaredOptions(of: $1).names) }
    let word = "--" + name.drop { $0 == "-" }
    guard let meant = EditDistance.closest(to: word, among: names.sorted()), !known.contains(meant)
    else { return nil }
    return "Unknown option '\(name)'. Did you mean '\(meant)'?"
  }

  // MARK: Runs of the past

  /// The workload of a run whose journal has this setup; `nil` if it is of another program.
  package func workload(of setup: RunSetup?) -> (any Workload.Type)? {
    all.first { $0.name == setup?.workload?.name }
  }

  /// The words of such a run.
  package func words(of setup: RunSetup?) -> RunWords { workload(of: setup)?.words ?? RunWords() }

  // MARK: Commands

  /// The form of `skynet engage` that a command line asks for.
  package func engageCommand(for arguments: [String]) -> any ParsableCommand.Type {
    if DescriptionRequest.isMade(by: arguments) { return wholeEngageCommand }
    guard let chosen = chosen(by: arguments) else {
      return HelpRequest(arguments) == nil
        ? workload(of: arguments).engageCommand : help { $0.titledChoice }
    }
    return chosen.engageCommand
  }

  /// `skynet engage` with the options of all workloads, to be described.
  var wholeEngageCommand: any ParsableCommand.Type { help { $0.options } }

  /// `skynet node` with the options of all workloads.
  package var nodeCommand: any ParsableCommand.Type {
    func command<Offering: NodeOffering>(_: Offering.Type) -> any ParsableCommand.Type {
      NodeCommand<Offering>.self
    }
    return command(offering)
  }

  /// What a node without options offers.
  ///
  /// - Parameter files: the process's own files, which no scan may read.
  func offer(withholding files: [String]) throws -> NodeOffer {
    try offering.parse([]).offer(withholding: files)
  }

  /// `skynet nodes`, whose commands take the options of nodes too.
  package var nodesCommand: any ParsableCommand.Type {
    func command<Offering: NodeOffering>(_: Offering.Type) -> any ParsableCommand.Type {
      NodesCommand<Offering>.self
    }
    return command(offering)
  }

  private var offering: any NodeOffering.Type {
    func both(
      _ first: any NodeOffering.Type, _ second: any NodeOffering.Type
    ) -> any NodeOffering.Type {
      func joined<A: NodeOffering, B: NodeOffering>(_: A.Type, _: B.Type) -> any NodeOffering.Type {
        Both<A, B>.self
      }
      return joined(first, second)
    }
    let offerings = all.map { $0.offering }
    return offerings.dropFirst().reduce(offerings[0], both)
  }

  /// `skynet replay` with the options of all workloads.
  package var replayCommand: any ParsableCommand.Type {
    func both(
      _ first: any ReplayOptions.Type, _ second: any ReplayOptions.Type
    ) -> any ReplayOptions.Type {
      func joined<A: ReplayOptions, B: ReplayOptions>(
        _: A.Type, _: B.Type
      ) -> any ReplayOptions.Type { Both<A, B>.self }
      return joined(first, second)
    }
    func command<Options: ReplayOptions>(_: Options.Type) -> any ParsableCommand.Type {
      ReplayCommand<Options>.self
    }
    let options = all.map { $0.replayOptions }
    let folded = options.dropFirst().reduce(options[0], both)
    return command(folded)
  }

  /// `skynet engage` with groups of options of all workloads, for its help.
  private func help(
    _ group: (any Workload.Type) -> any ParsableArguments.Type
  ) -> any ParsableCommand.Type {
    func both(_ first: any ParsableArguments.Type, _ second: any ParsableArguments.Type)
      -> any ParsableArguments.Type
    {
      func joined<A: ParsableArguments, B: ParsableArguments>(
        _: A.Type, _: B.Type
      ) -> any ParsableArguments.Type { Merged<A, B>.self }
      return joined(first, second)
    }
    func command<Options: ParsableArguments>(_: Options.Type) -> any ParsableCommand.Type {
      Engage<Options>.self
    }
    let groups = all.map(group)
    let options = groups.dropFirst().reduce(groups[0], both)
    return command(options)
  }
}

extension Workload {
  fileprivate static var engageCommand: any ParsableCommand.Type { Engage<Self>.self }
  fileprivate static var options: any ParsableArguments.Type { Self.self }
  fileprivate static var titledChoice: any ParsableArguments.Type { EngageChoice<Choice>.self }
  fileprivate static var offering: any NodeOffering.Type { Offering.self }
  fileprivate static var replayOptions: any ReplayOptions.Type { Replaying.self }
}
