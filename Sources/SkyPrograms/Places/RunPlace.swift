import Foundation
import SkyFiles
import SkyNetCore
import SkyProcess

/// Where a system runs a program: in the run's folder, or in an empty one of its own.
struct RunPlace {
  /// `nil` for an empty folder.
  let folder: OpenDirectory?
  /// Why it is an empty folder, where the run has another one.
  let absence: String?

  /// Finds the folder. What a peer names is opened only if it has leave.
  ///
  /// - Parameters:
  ///   - leave: what the engagement may run; `nil` for one of this process.
  ///   - trusted: where programs of other accounts and machines may run.
  /// - Throws: `SystemUnsuited` if the engagement is of this process, and its folder is gone or another one; `SystemFull`
  ///   if no file can be opened for now.
  init(
    for input: ProgramInput, _ settings: ProgramSettings, by leave: ProgramLeave?,
    in trusted: TrustedFolders
  ) throws {
    guard let path = settings.directory else {
      (folder, absence) = (nil, nil)
      return
    }
    guard let leave else {
      guard let own = try Self.opened(path, { OpenDirectory(path) }) else {
        throw SystemUnsuited(
          "the folder \(path) of the run is not here, or this account may not use it: make it again, or give --directory"
        )
      }
      // Half of the inputs would run in either.
      guard input.folder?.isOf(own) != false else {
        throw SystemUnsuited(
          "what is at \(path) now is another folder than that in which the run began: put that one back, or begin anew"
        )
      }
      (folder, absence) = (own, nil)
      return
    }
    do {
      folder = try Self.seen(path, input.folder, by: leave, in: trusted)
      absence = nil
    } catch let fault as Absence {
      (folder, absence) = (nil, fault.reason)
    }
  }

  /// Opens a folder. That this process is out of open files says nothing of the folder.
  ///
  /// - Parameter open: leaves its error in `errno`.
  /// - Returns: `nil` if the folder is not there, or may not be used.
  /// - Throws: `SystemFull`.
  private static func opened(
    _ path: String, _ open: () -> OpenDirectory?
  ) throws(SystemFull) -> OpenDirectory? {
    errno = 0
    if let folder = open() { return folder }
    let reason = errno
    guard !ProgramFault.isShortage(reason) else {
      throw SystemFull(
        "the folder \(path) cannot be opened (\(String(cString: strerror(reason)))): see how many open files this account "
          + "may have (ulimit -n)")
    }
    return nil
  }

  /// Why a system does not see the run's folder, and what may help.
  private struct Absence: Error { let reason: String }

  /// The run's folder, as one who has leave for it sees it.
  ///
  /// - Throws: ``Absence``; `SystemFull`.
  private static func seen(
    _ path: String, _ proof: FolderProof?, by leave: ProgramLeave, in trusted: TrustedFolders
  ) throws -> OpenDirectory {
    guard leave.isOwn || trusted.has(path) else {
      throw Absence(
        reason:
          "no program of another account or machine runs in \(path) here: --programs-in \(path) allows it, beside "
          + "--programs, when the node starts")
    }
    let open = { leave.isOwn ? OpenDirectory(path) : trusted.open(path) }
    guard let found = try opened(path, open) else {
      throw Absence(
        reason: "there is no folder \(path) here"
          + (leave.isOwn ? "" : ", or a link leads to it")
          + ": share it, or give absolute paths")
    }
    let other = Absence(
      reason:
        "what is at \(path) here is another folder than the run's: share that one, or give absolute paths"
    )
    if leave.isOwn {
      guard proof?.isOf(found) == true else { throw other }
      return found
    }
    guard let proof, proof.token != nil else {
      throw Absence(
        reason:
          "the engaging account may make no file in \(path), so nothing shows that it is the same folder here: give that "
          + "account permission, or give absolute paths")
    }
    switch proof.look(in: found) {
    case 0: return found
    case EACCES:
      throw Absence(
        reason:
          "the node's account may not look into \(path): give it permission, or give absolute paths"
      )
    default: throw other
    }
  }

  /// The path by which this process finds what a program finds under a name.
  ///
  /// - Returns: `nil` if an empty folder has nothing under it.
  func path(of name: String) -> String? {
    name.isAbsolutePath ? name : folder.map { AbsolutePath.of(name, in: $0.path) }
  }

  /// Checks that what the input and the words name can be found.
  ///
  /// - Throws: `SystemUnsuited` or ``ProgramFailure``, naming what is missing.
  func check(_ input: ProgramInput, _ settings: ProgramSettings) throws {
    for file in settings.files ?? [] where path(of: file) == nil {
      throw unsuited("the file \(file) among the program's words")
    }
    for file in input.files ?? [] {
      guard let path = path(of: file) else { throw unsuited("the input \(file)") }
      guard access(path, F_OK) != 0 else { continue }
      let fault = "the input \(file) is missing here: share its folder, or copy it to this system"
      // A file may come later than its name, over a network. Its folder is there, or is not shared.
      if let folder = SplitPath.split(path).folder, FileIdentity.isFolder(folder) {
        throw ProgramFailure(fault)
      }
      throw SystemUnsuited(fault)
    }
  }

  /// Something that the run needs is in a folder that is not here.
  func unsuited(_ need: String) -> SystemUnsuited {
    SystemUnsuited(
      absence.map { "\(need) is looked for in the folder of the run, and \($0)" }
        ?? "an empty folder has not \(need): give its absolute path")
  }
}
