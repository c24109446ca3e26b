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
  private let folders: TrustedFolders
  private let door: AccountDoor
  /// The program that this value was made for, if it is not there.
  private let missing: String?
  /// Is told why something was refused; `nil` if nobody is.
  private let refused: (@Sendable (_ reason: String) -> Void)?

  /// A scan that runs one program, with any arguments, for whoever engages this system. A shell or an interpreter is
  /// leave for anything. The program runs in the folder in which this process is.
  ///
  /// - Parameter words: the program and its arguments, with placeholders for the input.
  public init(_ words: [String]) {
    settings = ProgramSettings(words)
    let own = words.first.flatMap { ProgramSearch.path(of: $0) }.flatMap { AllowedProgram($0) }
    access = .files(own.map { [$0] } ?? [])
    missing = own == nil ? words.first : nil
    folders = .none
    door = .own
    refused = nil
  }

  /// A scan that runs what `access` allows.
  ///
  /// - Parameters:
  ///   - folders: where programs of other accounts and machines may run, beside empty folders.
  ///   - door: where those of this machine and account are.
  ///   - refused: is told why something was refused.
  package init(
    access: ProgramAccess, in folders: TrustedFolders = .none, door: AccountDoor = .own,
    refused: (@Sendable (String) -> Void)? = nil
  ) {
    (settings, missing) = (ProgramSettings([]), nil)
    (self.access, self.folders) = (access, folders)
    (self.door, self.refused) = (door, refused)
  }

  public func run(_ input: ProgramInput, settings: ProgramSettings) async throws -> ProgramOutput {
    try await run(input, settings: settings, on: ScanAttempt())
  }

  /// - Throws: `SystemUnsuited` if the program may not run here, or it, its folder or a file of the input is missing
  ///   here; `SystemFull` if there is no room to start it for now; `UnmendableFailure` if no other attempt would go
  ///   otherwise; `ProgramFailure` if the program failed; `CancellationError`, once the program and all that it started
  ///   have ended.
  public func run(
    _ input: ProgramInput, settings: ProgramSettings, on attempt: ScanAttempt
  ) async throws -> ProgramOutput {
    try settings.check()
    // Before anything is made of the words, or looked up that a stranger could learn from.
    let leave = try telling(settings.words[0]) { () throws(SystemUnsuited) -> ProgramLeave? in
      attempt.isOfPeer ? try access.leave(to: input, settings, by: door) : nil
    }
    let words = try ProgramTemplate(settings.words).words(for: input.templateInput)
    let (program, place) = try telling(words[0]) { () throws -> (RunnableProgram, RunPlace) in
      do {
        return try found(words[0], for: input, settings, by: leave)
      } catch let error as SystemUnsuited {
        // Other inputs may have another program, which is fit for this system.
        throw words[0] == settings.words[0] ? error : ProgramFailure(error.reason)
      }
    }
    try place.check(input, settings)
    var order = ProgramOrder(program, Array(words.dropFirst()), input, settings, in: place)
    order.variables = Self.variables(of: input, attempt)
    order.inheritsAll = leave?.isOwn ?? true
    // Before it is run: whoever changes it afterwards changes no result of this one.
    let versions = settings.otherVersions(
      of: program, in: place, by: leave, on: attempt.origin?.system)
    // While the folder is open, no other one gets its number.
    defer { withExtendedLifetime(place.folder) {} }
    let ending = try await ProgramStart(order, file: program.file).run(
      by: try ProgramLauncher.runner())
    var output = try settings.output(of: ending)
    output.versions = versions
    output.remark = ProgramRemark(
      ending.left, absence: place.absence, system: attempt.origin?.system)
    return output
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

  /// The program, and where it runs.
  ///
  /// - Parameter leave: what the engagement may run; `nil` for one of this process.
  /// - Throws: `SystemUnsuited`; `SystemFull`.
  private func found(
    _ name: String, for input: ProgramInput, _ settings: ProgramSettings, by leave: ProgramLeave?
  ) throws -> (RunnableProgram, RunPlace) {
    if let missing, ExactText(missing) == ExactText(name) {
      throw SystemUnsuited(
        "there is no program \(missing) here that may be executed: check its path and permissions")
    }
    let allowed = try leave?.allowed(name, in: settings.directory)
    let place = try RunPlace(for: input, settings, by: leave, in: folders)
    if let allowed { return (allowed, place) }
    return (try RunnableProgram(name, in: place), place)
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
    _ settings: ProgramSettings, in place: RunPlace
  ) {
    self.init(
      path: program.path, arguments: [program.name] + arguments, variables: [:],
      directory: place.folder?.path,
      input: settings.givesInput ? Data((input.templateInput.text + "\n").utf8) : nil,
      outputLimit: settings.outputLimit)
    directoryNumber = place.folder?.number
  }
}
