import Foundation
import SkyFiles
import SkyNetCore
import Synchronization

/// What the jobs of programs share: how an input travels, and what becomes of an output.
package final class ProgramExchange: Sendable {
  package let settings: ProgramSettings
  /// Where each output becomes a file; `nil` if outputs become results.
  package let files: ProgramFiles?
  /// Whether a program may run twice at a time for one input.
  let mayRunTwice: Bool
  private let proofs = AccountProofs()
  /// The values of the settings' variables in this process, of those that it has.
  private let variables: [String: String]?
  /// Is told what a program wrote to standard error; `nil` if nobody is.
  private let tell: (@Sendable (_ input: TemplateInput, _ errors: String) -> Void)?
  /// The sectors that this process has handed out and whose outputs have not come.
  private let begun = Mutex<Set<Int>>([])

  package init(
    _ settings: ProgramSettings, files: ProgramFiles? = nil, mayRunTwice: Bool = false,
    tell: (@Sendable (TemplateInput, String) -> Void)? = nil
  ) {
    (self.settings, self.files, self.mayRunTwice, self.tell) = (settings, files, mayRunTwice, tell)
    variables = settings.variables.map { names in
      names.reduce(into: [:]) { $0[$1] = getenv($1).map { String(cString: $0) } }
    }
  }

  /// Whether outputs are only looked at. Files are written, and JSON is read, which may take long.
  var isLight: Bool { files == nil && settings.form == .text }

  /// The input as every system may get it.
  ///
  /// - Parameter named: the input as it was given.
  /// - Throws: `UnmendableFailure` if a file of the input or a variable is gone, or its output may have no file.
  func sector(_ input: ProgramInput, named: TemplateInput) async throws -> ProgramInput {
    if let inputs = input.files { try await Self.check(inputs) }
    if let files {
      try files.prepare(named)
      // Only a run that writes files has to tell new outputs from those that a journal gives back.
      begun.withLock { _ = $0.insert(input.number) }
    }
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

  /// The input as this system gets it, which may run the program for its own account alone.
  func proven(_ input: ProgramInput, to recipient: SectorRecipient) async -> ProgramInput {
    guard !recipient.isLocal else { return input }
    var input = input
    input.proof = await proofs.proof(
      for: input.proofBytes(settings), to: recipient.incarnation.uuid)
    return input
  }

  /// Looks whether files are there, which takes long where their disk is another machine's.
  @concurrent private static func check(_ files: [String]) async throws {
    var status = stat()
    for file in files where stat(file, &status) != 0 && [ENOENT, ENOTDIR].contains(errno) {
      throw UnmendableFailure("the input \(file) is gone")
    }
  }

  var outputLimit: OutputLimit {
    // The last of standard error has 4096 bytes, of which JSON makes up to six each.
    OutputLimit(json: 64 << 10, bulk: settings.outputLimit)
  }

  /// - Throws: ``RefusedOutput`` if no program could have brought this output.
  func check(_ output: ProgramOutput) throws {
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
  ///   name asks for.
  func result(
    _ output: ProgramOutput, of input: TemplateInput, sector: Int
  ) throws -> any Encodable & Sendable {
    if let errors = output.errors { tell?(input, errors) }
    guard let files else { return settings.form.result(output.output.bytes) }
    let isNew = begun.withLock { $0.remove(sector) != nil }
    return try files.write(output.output.bytes, of: input, isNew: isNew)
  }

  func gaveUp(_ sector: Int) { begun.withLock { _ = $0.remove(sector) } }

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
        .init("output", settings.form.rawValue), .init("inputs", inputs),
      ] + (settings.variables.map { [.init("variables", $0.joined(separator: ", "))] } ?? []))
  }
}

/// An output that no program of the run can have brought.
package struct RefusedOutput: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
