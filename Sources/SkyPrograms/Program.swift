import Foundation
package import SkyFiles
public import SkyNetCore
import SkyProcess

/// Runs a program for each input.
///
/// Programs are started by a process that is made before any other thread: call ``startLauncher()`` at the very
/// beginning of `main`. A scan of a process without it finds its system unsuited.
public struct Program: Scan {
  public static let kind = ScanKind(name: "program", version: 1)

  /// The settings of a program that this value was made for.
  public let settings: ProgramSettings
  private let access: ProgramAccess
  private let door: AccountDoor
  /// The program that this value was made for, if it is not there.
  private let missing: String?
  /// Is told why something was refused; `nil` if nobody is.
  private let refused: (@Sendable (_ reason: String) -> Void)?

  /// A scan that runs one program, with any arguments, for whoever engages this system. A shell or an interpreter is
  /// leave for anything.
  ///
  /// - Parameter words: the program and its arguments, with placeholders for the input. A program with a slash in its
  ///   name is made absolute from the folder in which this process is.
  public init(_ words: [String]) {
    var words = words
    if let program = words.first, program.hasSlash {
      words[0] = AbsolutePath.of(program)
    }
    settings = ProgramSettings(words)
    let own = words.first.flatMap { ProgramSearch.path(of: $0) }.flatMap { AllowedProgram($0) }
    access = .files(own.map { [$0] } ?? [])
    missing = own == nil ? words.first : nil
    door = .own
    refused = nil
  }

  /// A scan that runs what `access` allows.
  ///
  /// - Parameters:
  ///   - door: where those of this machine and account are.
  ///   - refused: is told why something was refused.
  package init(
    access: ProgramAccess, door: AccountDoor = .own, refused: (@Sendable (String) -> Void)? = nil
  ) {
    (settings, missing) = (ProgramSettings([]), nil)
    (self.access, self.door, self.refused) = (access, door, refused)
  }

  public func run(_ input: ProgramInput, settings: ProgramSettings) async throws -> ProgramOutput {
    try await run(input, settings: settings, on: ScanAttempt())
  }

  /// - Throws: `SystemUnsuited` if the program may not run here, or it, its folder or a file of the input is missing
  ///   here; `UnmendableFailure` if no other attempt would go otherwise; ``ProgramFailure`` if the program failed;
  ///   `CancellationError`, once the program and all that it started have ended.
  public func run(
    _ input: ProgramInput, settings: ProgramSettings, on attempt: ScanAttempt
  ) async throws -> ProgramOutput {
    try settings.check()
    // Before anything is made of the words, or looked up that a stranger could learn from.
    let leave = try telling(settings.words[0]) { () throws(SystemUnsuited) -> ProgramLeave in
      attempt.isOfPeer ? try access.leave(to: input, settings, by: door) : .own
    }
    let words = try ProgramTemplate(settings.words).words(for: input.templateInput)
    let program = try telling(words[0]) { () throws -> RunnableProgram in
      try runnable(words[0], by: leave, isFixed: words[0] == settings.words[0])
    }
    try SharedFiles.check(input, settings)
    var order = ProgramOrder(program, Array(words.dropFirst()), input, settings)
    order.variables = Self.variables(of: input, attempt)
    order.inheritsAll = leave.isOwn
    let ending = try await ProgramStart(order).run(by: try ProgramLauncher.runner())
    return try settings.output(of: ending)
  }

  /// Tells why a program of this name was refused.
  private func telling<Result, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      refused?("\(name) was not run: \(error)")
      throw error
    }
  }

  /// - Throws: `SystemUnsuited`, ``ProgramFailure``.
  private func runnable(
    _ name: String, by leave: ProgramLeave, isFixed: Bool
  ) throws -> RunnableProgram {
    if let missing, ExactText(missing) == ExactText(name) {
      throw SystemUnsuited(
        "there is no program \(missing) here that may be executed: check its path and permissions")
    }
    return try leave.program(name, isFixed: isFixed)
  }

  /// The variables of a program that come with its input, and that nodes set. All others are those of the node's own
  /// process.
  static func variables(of input: ProgramInput, _ attempt: ScanAttempt) -> [String: String] {
    var variables = ["SKYNET_SECTOR": "\(input.number)", "SKYNET_ATTEMPT": "\(attempt.number)"]
    if let origin = attempt.origin {
      variables["SKYNET_RUN"] = "\(origin.run)"
      variables["SKYNET_SYSTEM"] = origin.system
    }
    if let given = input.variables { variables.merge(given) { own, _ in own } }
    return variables
  }
}

extension ProgramOrder {
  fileprivate init(
    _ program: RunnableProgram, _ arguments: [String], _ input: ProgramInput,
    _ settings: ProgramSettings
  ) {
    self.init(
      path: program.path, arguments: [program.name] + arguments, variables: [:],
      directory: settings.directory,
      input: settings.givesInput ? Data((input.templateInput.text + "\n").utf8) : nil,
      outputLimit: settings.outputLimit)
  }
}

/// What an input needs of its system.
private enum SharedFiles {
  /// - Throws: `SystemUnsuited` or ``ProgramFailure``, naming what is missing.
  static func check(_ input: ProgramInput, _ settings: ProgramSettings) throws {
    if let folder = settings.directory {
      guard FileIdentity.isFolder(folder) else {
        throw SystemUnsuited(
          "the folder \(folder) of --directory is missing here: share it, or copy it to this system"
        )
      }
    }
    for file in input.files ?? [] where access(file, F_OK) != 0 {
      let fault = "the input \(file) is missing here: share its folder, or copy it to this system"
      // A file may come later than its name, over a network. Its folder is there, or is not shared.
      if let folder = SplitPath.split(file).folder, FileIdentity.isFolder(folder) {
        throw ProgramFailure(fault)
      }
      throw SystemUnsuited(fault)
    }
  }
}
