import ArgumentParser
import Foundation
import Logging
import SkyFiles
package import SkyNetCommand
package import SkyNetCore
import SkyPrograms

/// Any program, once for each number or each input.
package struct Programs: Workload {
  package init() {}

  package typealias Choice = ProgramInputs
  package typealias Offering = ProgramsOffering

  package static var name: String { "programs" }
  package static var words: RunWords { RunWords(part: InputJob.part) }
  package static var choosers: [String] { ["--inputs", "--inputs-from"] }
  package static var takesWords: Bool { true }
  package static var invitation: String { "-- PROGRAM" }
  package static var purpose: String { "programs" }
  package static var discussion: String? {
    """
    A program with its arguments follows after --, and is run for each number below --total, or for each of --inputs. \
    In its arguments {} stands for the input, {/} for its file's name, {//} for its folder, {.} for the input without \
    its extension, {/.} for its file's name without one, {1} for its first column between tabs, and {#} counts inputs \
    from 1. Without any of these, an input is the last argument. No shell comes between: `-- sh -c '…'` is one. The \
    program runs in this folder, or in --directory, on each system that sees it, with SKYNET_SECTOR, SKYNET_ATTEMPT, SKYNET_SLOT, \
    SKYNET_SYSTEM and SKYNET_RUN in its environment. What it writes to standard output is the result, which is printed unless --results, --json or --output take it. Nodes of another \
    machine or account run it if they were started with --programs.
    """
  }
  package static var examples: [String] {
    [
      "--total 200 -- ./scan.sh {}",
      "--inputs 'night/*.fits' --output 'out/{name}.txt' -- ./reduce.py {}",
      "--inputs - --in-order -- ./scan.sh {}",
    ]
  }
  package static var scans: [any Scan] { [SkyPrograms.Program(access: .ownAccount)] }

  package static func instead(of word: String) -> String? { ForeignOption.instead(of: word) }

  package static func begin(_ arguments: [String]) {
    if needsLauncher(arguments) { SkyPrograms.Program.startLauncher() }
  }

  /// Whether a command may run programs. The fork comes before any thread and any key, so the words alone decide.
  static func needsLauncher(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case "node", "replay": true
    case "engage": arguments.contains("--") || arguments.contains("--serve")
    default: false
    }
  }

  @OptionGroup(title: "Programs") var inputs: ProgramInputs
  @OptionGroup(title: "Programs") var numbers: ProgramNumbers
  @OptionGroup(title: "Programs") var running: ProgramOptions
  @OptionGroup(title: "Programs") var table: ProgramTableOption

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(
      "After --, the program and its arguments, in which {} stands for the input.",
      valueName: "program"))
  var words: [String] = []

  package var readFiles: [FileOption] { [("inputs-from", inputs.listFile)] }
  package var writtenFiles: [FileOption] { [("summary", table.summary)] }

  /// As a loop over the program would print its outputs.
  package var printsResults: Bool { running.output == nil }

  package func validate() throws {
    guard let program = words.first else { throw ValidationError(missingProgram) }
    guard !program.isEmpty else {
      throw ValidationError("the program after -- is empty: write its name or path there")
    }
    guard !words.joined().utf8.contains(0) else {
      throw ValidationError("the words after -- have a NUL character, which no argument can have")
    }
    if let fault = DoubtfulWords.fault(program) { throw ValidationError(fault) }
    if inputs.areGiven, numbers.total != nil {
      throw ValidationError(
        "--inputs and --total both say what the program is run for: leave out one")
    }
    if let word = foreignWord, let instead = ForeignOption.instead(of: word) {
      throw ValidationError("there is no \(word) here: \(instead)")
    }
    guard areTold else { throw ValidationError(Self.missingInputs(program, hasPipe: Self.hasPipe)) }
    if inputs.readsStandardInputTwice {
      throw ValidationError("--inputs - reads standard input, which is there once: leave out one -")
    }
    if running.null, !inputs.readsLists {
      throw ValidationError(
        "--null says how the inputs of a list end: add --inputs - or --inputs-from LIST")
    }
    try checkOutput()
  }

  /// Whether it is said what the program is run for.
  private var areTold: Bool { inputs.areGiven || numbers.total != nil }

  /// A word of another program that the parser takes for an input, for the program, or for its argument.
  private var foreignWord: String? {
    inputs.inputs.first { $0.hasPrefix(":::") } ?? words.first.flatMap {
      $0.hasPrefix("-") ? $0 : nil
    }
      ?? (areTold ? nil : words.first { $0.hasPrefix(":::") })
  }

  /// What to type where nothing says what the program is run for.
  ///
  /// - Parameter hasPipe: whether standard input may have the inputs.
  static func missingInputs(_ program: String, hasPipe: Bool) -> String {
    let program = ShellWord.quoted(program)
    return hasPipe
      ? "nothing says what \(program) is run for: give --inputs - for each line of standard input, which is a pipe or a "
        + "file, or --total N"
      : "-- \(program) is run for each number below --total N, or for each of --inputs FILES: give one of them"
  }

  private static var hasPipe: Bool {
    var status = stat()
    return fstat(STDIN_FILENO, &status) == 0
      && [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// What to type where the words after `--` are missing.
  private var missingProgram: String {
    if let place = inputs.inputs.firstIndex(where: { ProgramSearch.path(of: $0) != nil }), place > 0
    {
      let line =
        ["engage", "--inputs"] + inputs.inputs[..<place] + ["--"] + inputs.inputs[place...]
      return "no program is named: it comes after --, as in "
        + "\(SkyNetCommand.Program.name) \(line.map(ShellWord.quoted).joined(separator: " "))"
    }
    return "no program is named: it comes after -- with its arguments, such as -- ./scan.sh {}"
  }

  private func checkOutput() throws {
    guard let output = running.output else { return }
    if running.jsonOutput {
      throw ValidationError(
        "--json-output makes results of the outputs, and --output files: give one of them")
    }
    let names = try OutputNames(output)
    let isOne =
      numbers.total.map { $0 > 1 && !names.tellsNumbersApart }
      ?? (inputs.maySeveral && names.isFixed)
    if isOne {
      throw ValidationError(
        "--output \(output) would get every output: put {name} into it, such as --output '\(names.example)'"
      )
    }
  }

  package func prepare(_ options: RunOptions) throws -> any WorkloadRun {
    for warning in DoubtfulWords.warnings(words) {
      Console.standardError.line(warning, level: .warning)
    }
    return try ProgramPlan(self, options).run()
  }

  package static func job(of task: RecordedTask) throws -> (any Job)? {
    let run = ProgramExchange(try task.settings(as: ProgramSettings.self))
    guard let part = task.part else { return ProgramJob(run, count: task.sectors) }
    guard let facts = InputFacts(part.facts) else { return nil }
    if facts.hasChanged(run.settings) {
      Console.standardError.line(
        "\(part.name) has changed since the run, or is not here", level: .warning)
    }
    return ProgramJob.replaying(facts, sector: task.id.sector, run)
  }
}
