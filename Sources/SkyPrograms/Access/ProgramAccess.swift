import Foundation
import SkyFiles
import SkyNetCore

/// Which programs a system runs, and for whom.
package enum ProgramAccess: Sendable {
  /// Any program, for engagements of this machine and account alone.
  case ownAccount
  /// These programs for everybody, and any for engagements of this machine and account.
  case files([AllowedProgram])
  /// Any program for everybody.
  case any

  /// Decides what an engagement of another process may run.
  ///
  /// - Parameter door: where those of this machine and account are.
  /// - Throws: `SystemUnsuited` if it may run nothing.
  func leave(
    to input: ProgramInput, _ settings: ProgramSettings, by door: AccountDoor
  ) throws(SystemUnsuited) -> ProgramLeave {
    if let proof = input.proof, door.isProof(proof, for: input.proofBytes(settings)) { return .own }
    switch self {
    case .any: return .any
    case .files(let files):
      // By some, such as LD_PRELOAD, a program is told to do anything.
      guard input.variables?.isEmpty ?? true else {
        throw SystemUnsuited(
          "variables by --env are taken from another account or machine with --programs any only")
      }
      return .files(files)
    case .ownAccount:
      guard !door.isOpen else { throw SystemUnsuited(Self.refusal) }
      throw SystemUnsuited(
        Self.refusal
          + " (this node knows nobody of its own account, either: it has no folder skynet/doors in XDG_RUNTIME_DIR, "
          + "XDG_CONFIG_HOME or ~/.config which is the account's alone)")
    }
  }

  fileprivate static let refusal =
    "programs from another account or machine may not run here: `skynet node --programs PATH` allows one there, "
    + "and --programs any all of them"
}

/// What one engagement may run.
enum ProgramLeave {
  /// Any program, as this account itself would run it.
  case own
  /// Any program.
  case any
  case files([AllowedProgram])

  var isOwn: Bool { if case .own = self { true } else { false } }

  /// The program that a name means, if leave is for some programs alone: nothing else of what a peer names is looked up
  /// before that is known.
  ///
  /// - Parameter directory: the folder from which the name is meant.
  /// - Returns: `nil` if there is leave for any program.
  /// - Throws: `SystemUnsuited` if it may not run.
  func allowed(_ name: String, in directory: String?) throws(SystemUnsuited) -> RunnableProgram? {
    guard case .files(let allowed) = self else { return nil }
    let name =
      name.hasSlash && !name.isAbsolutePath
      ? directory.map { AbsolutePath.of(name, in: $0) } ?? name : name
    return try Self.program(name, of: allowed)
  }

  /// Compares names alone: whether there is a file is nothing for strangers, and to look may take for ever where its
  /// disk is another machine's. Only what has no folder is looked for, in this process's own PATH.
  private static func program(
    _ name: String, of allowed: [AllowedProgram]
  ) throws(SystemUnsuited) -> RunnableProgram {
    let path = ExactText(name.hasSlash ? name : ProgramSearch.path(of: name) ?? name)
    let target = name.hasSlash ? path : AllowedProgram.resolved(path.text)
    guard
      let found = allowed.first(where: { $0.path == path })
        ?? allowed.first(where: { $0.target == target })
    else { throw SystemUnsuited(ProgramAccess.refusal) }
    guard found.isUnchanged else {
      throw SystemUnsuited(
        "\(found.path.text) was replaced or changed since the node was allowed to run it: restart the node"
      )
    }
    // By the name that was allowed: some programs do what their name says.
    return RunnableProgram(file: found.path.text)
  }
}

/// A file to execute, and the name that it is told.
struct RunnableProgram {
  /// The file's path for this process.
  let file: String
  /// Its path for the program, which runs in a folder of its own.
  let path: String
  let name: String

  init(file: String) { (self.file, path, name) = (file, file, file) }

  /// The program that a name means in a place.
  ///
  /// - Throws: `SystemUnsuited` if it is missing.
  init(_ name: String, in place: RunPlace) throws(SystemUnsuited) {
    guard name.hasSlash else {
      guard let path = ProgramSearch.path(of: name) else {
        throw SystemUnsuited(
          "there is no program \(name) here: install it, or have its folder in the PATH of this system's process"
        )
      }
      (file, self.path, self.name) = (path, path, name)
      return
    }
    guard let path = place.path(of: name) else { throw place.unsuited("the program \(name)") }
    guard let file = ProgramSearch.path(of: path) else {
      throw SystemUnsuited(
        "there is no program \(path) here that may be executed: share its folder, or copy it to this system"
      )
    }
    // As it was written, so that a script is told the same name as everywhere.
    (self.file, self.path, self.name) = (file, name, name)
  }
}

/// A program that a node runs for others.
package struct AllowedProgram: Hashable, Sendable {
  /// The absolute path that was allowed.
  let path: ExactText
  /// The file that it led to then, and which version of it that was.
  let target: ExactText
  private let state: FileState

  /// - Returns: `nil` if there is no such program.
  package init?(_ path: String) {
    let path = AbsolutePath.of(path)
    guard ProgramSearch.path(of: path) != nil, let target = Self.resolved(path),
      let state = FileState(path: target.text)
    else { return nil }
    (self.path, self.target, self.state) = (ExactText(path), target, state)
  }

  /// Whether the path leads to the same version of the same file.
  var isUnchanged: Bool {
    Self.resolved(path.text) == target && FileState(path: target.text) == state
  }

  static func resolved(_ path: String) -> ExactText? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return ExactText(String(cString: resolved))
  }
}
