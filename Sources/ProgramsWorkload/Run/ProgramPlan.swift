import ArgumentParser
import Foundation
import Logging
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyPrograms
import Synchronization

/// A run of a program, from the command line's options.
struct ProgramPlan {
  private let programs: Programs
  private let options: RunOptions
  private let names: OutputNames?
  private let settings: ProgramSettings
  private let words: WordFiles
  private let console = Console.standardError

  /// - Throws: an error with the reason if the program or its folder is missing here.
  init(_ programs: Programs, _ options: RunOptions) throws {
    (self.programs, self.options) = (programs, options)
    names = try programs.running.output.map { try OutputNames($0) }
    var settings = try programs.settings(writesFiles: names != nil)
    settings.sendsErrors = options.results.verbose
    self.settings = settings
    words = WordFiles(settings)
    if !options.systems.noLocal { try ProgramCheckFault.check(settings) }
  }

  /// - Throws: an error with the reason if there are no inputs, or an output cannot be written; `ValidationError` if an
  ///   output would replace another one, or what the run needs.
  func run() throws -> any WorkloadRun {
    tellOfRelativeFiles()
    let claims = OutputClaims(
      run: options.files + programs.readFiles + programs.writtenFiles,
      words: words.paths)
    guard let total = programs.numbers.total else { return try inputRun(claims) }
    // Numbers have files of their own. Only those of the run can be among them.
    let guarded = Mutex(claims)
    let files = names.map { names in
      ProgramFiles { input in
        let path = try names.path(of: input)
        if let fault = guarded.withLock({ $0.fault(path) }) { throw UnmendableFailure(fault) }
        return path
      }
    }
    try files?.check(TemplateInput("0", place: 0))
    let outputs = try outputs(files)
    return NumberRun(job: ProgramJob(outputs.run, count: total), outputs: outputs)
  }

  private func inputRun(_ claims: OutputClaims) throws -> any WorkloadRun {
    let pieces = try programs.inputs.pieces(null: programs.running.null)
    var claims = claims
    let files = names.map { names in ProgramFiles { try names.path(of: $0) } }
    if let names {
      let first = try claims.check(try claims.read(pieces), names)
      if let first { try files?.check(first) }
    }
    let feed = InputFeed(pieces, names, claims)
    let supply = InputSupply(
      tellsPlaces: ProgramTemplate(settings.words).tellsPlace, count: { feed.count },
      tell: { [console] in console.line($0) }, next: { try await feed.next() })
    let outputs = try outputs(files)
    return InputRun(job: InputJob(outputs.run, supply), supply: supply, outputs: outputs)
  }

  private func outputs(_ files: ProgramFiles?) throws -> ProgramOutputs {
    let run = ProgramExchange(
      settings, files: files, mayRunTwice: programs.running.hedge, tell: tell)
    return ProgramOutputs(
      run: run, pattern: names?.text, words: words,
      table: try programs.table.summary.map { try ProgramTable($0, settings) })
  }

  /// Prints what a program wrote to standard error.
  private var tell: (@Sendable (TemplateInput, String) -> Void)? {
    guard options.results.verbose else { return nil }
    return { [console] input, errors in
      for line in errors.split(separator: "\n") { console.line("\(input.text): \(line)") }
    }
  }

  /// The program would not find files that its arguments name from here.
  private func tellOfRelativeFiles() {
    guard settings.directory == nil else { return }
    let words = programs.words.dropFirst().filter {
      !$0.isAbsolutePath && !$0.hasPrefix("-") && !$0.contains("{") && access($0, F_OK) == 0
    }
    guard let word = words.first, !options.isQuiet else { return }
    console.line(
      "\(word) is here, and the program runs in an empty folder of its own: give the absolute path, or --directory . to "
        + "have it run here", level: .warning)
  }
}

extension Programs {
  /// - Throws: `ValidationError`.
  fileprivate func settings(writesFiles: Bool) throws -> ProgramSettings {
    var words = words
    if words[0].hasSlash, !words[0].hasPrefix("{") { words[0] = AbsolutePath.of(words[0]) }
    if inputs.areGiven, !running.stdin, !ProgramTemplate(words).hasPlaceholders {
      words.append("{}")
    }
    var settings = ProgramSettings(words)
    settings.directory = running.directory.map { AbsolutePath.of($0) }
    settings.givesInput = running.stdin
    settings.variables = running.env.isEmpty ? nil : running.env.sorted()
    settings.failFast = try running.failFast
    settings.form = writesFiles ? .bytes : running.jsonOutput ? .json : .text
    settings.outputLimit =
      writesFiles ? ProgramSettings.outputLimit : ProgramSettings.resultLimit
    return settings
  }
}
