import Foundation
import SkyFiles
import SkyNetCore
import SkyProcess
import Synchronization

/// What the jobs of programs share: how an input travels, and what becomes of an output.
package final class ProgramExchange: Sendable {
  package let settings: ProgramSettings
  /// Where each output becomes a file; `nil` if outputs become results.
  package let files: ProgramFiles?
  /// Whether a program may run twice at a time for one input.
  let mayRunTwice: Bool
  private let proofs = AccountProofs()
  /// The folder in which programs run, unless each has an empty one.
  private let folder: OpenDirectory?
  private let token: FolderToken?
  /// The values of the settings' variables in this process, of those that it has.
  private let variables: [String: String]?
  /// Is told what a program wrote to standard error; `nil` if nobody is.
  private let tell: (@Sendable (_ input: TemplateInput, _ errors: String) -> Void)?
  /// Tells what may make results other than they are meant.
  package let remarks: RunRemarks
  /// Is told what may make results other than they are meant.
  private let warn: @Sendable (String) -> Void
  /// Is told what else is good to know.
  private let note: @Sendable (String) -> Void
  /// The sectors that this process has handed out and whose outputs have not come.
  private let begun = Mutex<Set<Int>>([])
  private let versions: Mutex<SeenVersions>
  /// Whether it was told that an output is not as the journal has it.
  private let toldOfStale = Atomic(false)

  package init(
    _ settings: ProgramSettings, files: ProgramFiles? = nil, mayRunTwice: Bool = false,
    warn: @escaping @Sendable (String) -> Void = { _ in },
    note: @escaping @Sendable (String) -> Void = { _ in },
    tell: (@Sendable (TemplateInput, String) -> Void)? = nil
  ) {
    (self.settings, self.files, self.mayRunTwice) = (settings, files, mayRunTwice)
    (remarks, self.warn, self.note, self.tell) = (RunRemarks(warn), warn, note, tell)
    versions = Mutex(SeenVersions(settings.watched))
    folder = settings.directory.flatMap { OpenDirectory($0) }
    token = folder.map { FolderToken(in: $0) }
    variables = settings.variables.map { names in
      names.reduce(into: [:]) { $0[$1] = getenv($1).flatMap { String(validatingCString: $0) } }
    }
  }

  /// Whether attempts of one input may write the same files, as they run in one folder.
  private var sharesFolder: Bool { settings.directory != nil }

  /// Whether outputs are only looked at. Files are written, and JSON is read, which may take long.
  var isLight: Bool { files == nil && settings.form == .text }

  /// What fails in milliseconds is not tried again as fast.
  var retryWaits: RetryWaits {
    RetryWaits(
      afterFailure: .milliseconds(500),
      scanEnd: sharesFolder && !mayRunTwice ? ProgramRunner.longestEnd : nil)
  }

  /// The input as every system may get it.
  ///
  /// - Parameter named: the input as it was given.
  /// - Throws: `UnmendableFailure` if a file of the input or a variable is gone, or its output may have no file.
  func sector(_ input: ProgramInput, named: TemplateInput) async throws -> ProgramInput {
    if let inputs = input.files {
      try await Self.check(inputs.map { ($0, settings.path(of: $0) ?? $0) })
    }
    try files?.prepare(named)
    begun.withLock { _ = $0.insert(input.number) }
    guard let variables else { return input }
    if let missing = settings.variables?.first(where: { variables[$0] == nil }) {
      throw UnmendableFailure(
        "the run was given the variable \(missing) by --env, and this shell has exported none of that name"
      )
    }
    var input = input
    input.variables = variables
    return input
  }

  /// The input as this system gets it, which may run the program for its own account alone, and has to know the run's
  /// folder from others at its path.
  func proven(_ input: ProgramInput, to recipient: SectorRecipient) async -> ProgramInput {
    var input = input
    input.folder = folder.map { FolderProof($0.number) }
    guard !recipient.isLocal else { return input }
    input.proof = await proofs.proof(
      for: input.proofBytes(settings), to: recipient.incarnation.uuid)
    if input.proof == nil, let token {
      input.folder?.token = token.isDecided ? token.name : await Self.name(of: token)
    }
    return input
  }

  @concurrent private static func name(of token: FolderToken) async -> String? { token.name }

  /// Looks whether files are there, which takes long where their disk is another machine's.
  @concurrent private static func check(_ files: [(name: String, path: String)]) async throws {
    var status = stat()
    for (file, path) in files where stat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno) {
      throw UnmendableFailure("the input \(file) is gone")
    }
  }

  var outputLimit: OutputLimit {
    // The last of standard error has 4096 bytes, of which JSON makes up to six each.
    OutputLimit(json: 64 << 10, bulk: settings.outputLimit)
  }

  /// - Throws: ``RefusedOutput`` if neither a program nor a journal could have brought this output.
  func check(_ output: ProgramOutput, sector: Int) throws {
    guard output.kept == nil || files != nil && begun.withLock({ !$0.contains(sector) }) else {
      throw RefusedOutput("it has no bytes, and says that a file has them")
    }
    guard output.output.bytes.count <= settings.outputLimit else {
      throw RefusedOutput(
        "\(output.output.bytes.count) bytes, which is more than a program may write")
    }
    do {
      try settings.form.check(output.output.bytes)
    } catch {
      throw RefusedOutput(error.reason)
    }
  }

  /// Makes the result of an output, and its file if it is to be one.
  ///
  /// - Parameter input: as it was given.
  /// - Throws: `OutputFileError`, `OutputFolderError`; `UnmendableFailure` if the input has no column that the file's
  ///   name asks for; `StaleOutput` if the journal gives it back, and the file has it no more.
  func receive(
    _ output: ProgramOutput, of input: TemplateInput, sector: Int
  ) throws -> ReceivedResult {
    // If not, a journal gives it back.
    if begun.withLock({ $0.remove(sector) != nil }) { tellOfVersions(output.versions) }
    if let errors = output.errors { tell?(input, errors) }
    if let remark = output.remark { remarks.add(remark, of: input.text) }
    guard let files else {
      return ReceivedResult(result: settings.form.result(output.output.bytes))
    }
    guard let kept = output.kept else {
      var received = ReceivedResult(result: try files.write(output.output.bytes, of: input))
      received.recorded = output.withoutBytes
      return received
    }
    let file = try files.path(of: input)
    guard let found = files.find(kept, in: file) else {
      tellOfStale(file)
      throw StaleOutput()
    }
    return ReceivedResult(result: found)
  }

  private func tellOfVersions(_ others: OtherVersions?) {
    for difference in versions.withLock({ $0.add(others) }) {
      switch difference {
      case .versions(let text): warn(text)
      case .platforms(let text): note(text)
      }
    }
  }

  private func tellOfStale(_ file: String) {
    guard !toldOfStale.exchange(true, ordering: .relaxed) else { return }
    warn(
      "\(file) is not there, or not as it was written: the program runs again for it, and for others like it"
    )
  }

  func gaveUp(_ sector: Int) { begun.withLock { _ = $0.remove(sector) } }

  /// The run is over, in whatever way.
  package func end() {
    remarks.end(hasFolder: settings.directory != nil)
    token?.end()
    token?.removeLeft()
  }

  /// The facts that determine the results of a run.
  ///
  /// - Parameter inputs: what the inputs are, for people.
  func identity(inputs: String) -> JobIdentity {
    JobIdentity(
      [
        .init("scan", "\(Program.kind)"),
        .init("program", "\(settings.words)"),
        .init("directory", settings.directory ?? "an empty one"),
        .init("standard input", settings.givesInput ? "the input" : "nothing"),
        .init("output", settings.form.option), .init("inputs", inputs),
      ] + (settings.variables.map { [.init("variables", $0.joined(separator: ", "))] } ?? []))
  }
}

/// An output that no program of the run can have brought.
package struct RefusedOutput: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
