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
    words = WordFiles(settings)
    settings.files = words.relative.isEmpty ? nil : words.relative
    settings.watched = words.watched
    self.settings = settings
    if !options.systems.noLocal { try ProgramCheckFault.check(settings) }
  }

  /// Whether an earlier process has begun the run.
  private var goesOn: Bool { options.journal.map { access($0, F_OK) == 0 } ?? false }

  /// - Throws: an error with the reason if there are no inputs, or an output cannot be written; `ValidationError` if an
  ///   output would replace another one, or what the run needs.
  func run() throws -> any WorkloadRun {
    let claims = OutputClaims(
      settings, run: options.files + programs.readFiles + programs.writtenFiles)
    guard let total = programs.numbers.total else { return try inputRun(claims) }
    // Numbers have files of their own. Only those of the run can be among them.
    let guarded = Mutex(claims)
    let files = names.map { names in
      ProgramFiles { input in
        let path = try names.path(of: input)
        let fault = guarded.withLock { claims in
          claims.readWords(of: input)
          return claims.fault(path)
        }
        if let fault { throw UnmendableFailure(fault) }
        return path
      }
    }
    try files?.check(TemplateInput("0", place: 0))
    let outputs = try outputs(files)
    return NumberRun(job: ProgramJob(outputs.run, count: total), outputs: outputs)
  }

  private func inputRun(_ claims: OutputClaims) throws -> any WorkloadRun {
    let pieces = try programs.inputs.pieces(null: programs.running.null, goesOn: goesOn)
    let files = names.map { names in ProgramFiles { try names.path(of: $0) } }
    let reader = try reader(of: pieces, claims, files)
    let feed = InputFeed(pieces, reader)
    let supply = InputSupply(
      settings, count: { feed.count }, tell: { [console] in console.line($0) },
      next: { try await feed.next() })
    let outputs = try outputs(files)
    return InputRun(
      job: InputJob(outputs.run, supply), supply: supply, feed: feed, outputs: outputs)
  }

  private func reader(
    of pieces: [InputPiece], _ claims: OutputClaims, _ files: ProgramFiles?
  ) throws -> InputReader {
    var reader = InputReader(claims)
    reader.names = names
    reader.written =
      options.writtenFiles + programs.writtenFiles + options.files.filter { $0.flag == "journal" }
    reader.warn = warn
    if !options.isQuiet { reader.tell = { [console] in console.line($0) } }
    // What is an output of an earlier process, and no fault, its journal tells.
    guard names != nil, !goesOn else { return reader }
    try reader.prepare(pieces)
    if let first = try reader.check(pieces) { try files?.check(first) }
    return reader
  }

  /// Says what may make results other than they are meant, also with `--quiet`.
  private var warn: @Sendable (String) -> Void {
    { [console] in console.line($0.bounded, level: .warning) }
  }

  private var note: @Sendable (String) -> Void {
    { [console, options] in if !options.isQuiet { console.line($0.bounded) } }
  }

  private func outputs(_ files: ProgramFiles?) throws -> ProgramOutputs {
    let run = ProgramExchange(
      settings, files: files, mayRunTwice: programs.running.hedge, warn: warn, note: note,
      tell: tell)
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
}

extension Programs {
  /// - Throws: `ValidationError`; ``ProgramCheckFault``.
  fileprivate func settings(writesFiles: Bool) throws -> ProgramSettings {
    var words = words
    if inputs.areGiven, !running.stdin, !ProgramTemplate(words).hasPlaceholders {
      words.append("{}")
    }
    var settings = ProgramSettings(words)
    settings.directory = try ProgramCheckFault.folder(running.directory)
    settings.givesInput = running.stdin
    settings.variables = running.env.isEmpty ? nil : running.env.sorted()
    settings.failFast = try running.failFast
    settings.form = writesFiles ? .bytes : running.jsonOutput ? .json : .text
    settings.outputLimit =
      writesFiles ? ProgramSettings.outputLimit : ProgramSettings.resultLimit
    return settings
  }
}
