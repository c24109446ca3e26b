import Foundation
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// Why a program cannot be run by this machine.
enum ProgramCheckFault: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case notInPath(String)
  case directory(String)
  case notExecutable(String)
  case noFolder(String)
  case noWorkingFolder
  case relative(String)

  /// - Throws: the fault. What differs from input to input is not looked at.
  static func check(_ settings: ProgramSettings) throws(ProgramCheckFault) {
    let name = settings.words[0]
    guard !ProgramTemplate([name]).hasPlaceholders else { return }
    guard name.hasSlash else {
      if ProgramSearch.path(of: name) == nil { throw .notInPath(name) }
      return
    }
    guard let program = settings.path(of: name) else { throw .relative(name) }
    guard ProgramSearch.path(of: program) == nil else { return }
    switch kind(program) {
    case nil: throw .missing(program)
    case S_IFDIR: throw .directory(program)
    default: throw .notExecutable(program)
    }
  }

  /// The folder of a run, as an absolute path without links.
  ///
  /// - Parameter directory: as `--directory` names it; without it, the run has the folder in which this process is.
  /// - Returns: `nil` for an empty one of each program's own.
  /// - Throws: the fault, if there is no such folder here.
  static func folder(_ directory: String?) throws(ProgramCheckFault) -> String? {
    guard directory != "empty" else { return nil }
    guard let directory else {
      guard let folder = FileManager.workingFolder else { throw .noWorkingFolder }
      return folder
    }
    guard let folder = FilePath.real(directory), FileIdentity.isFolder(folder.text)
    else { throw .noFolder(directory) }
    return folder.text
  }

  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static let elsewhere =
    "; if only other systems have it, leave this machine out with --no-local"

  var description: String {
    switch self {
    case .missing(let path): "there is no program \(path): check its path" + Self.elsewhere
    case .notInPath(let name) where name.dropFirst().contains("="):
      "there is no program \(name) in the PATH: env sets a variable, as in -- env \(name) PROGRAM"
    case .notInPath(let name):
      "there is no program \(name) in the PATH: "
        + (access(name, F_OK) == 0
          ? "./\(name) is the one in this folder"
          : "check its name, or give its path (a shell's function has to be a script)")
        + Self.elsewhere
    case .directory(let path): "\(path) is a folder, and no program: check the path"
    case .notExecutable(let path):
      "\(path) may not be executed: run chmod +x \(ShellWord.quoted(path)), or name its interpreter after --"
    case .noFolder(let path):
      "--directory \(path): there is no such folder here: check its path, or make it"
    case .noWorkingFolder:
      "the folder in which this runs is gone, or has a name that is not UTF-8: change to another one, or give --directory"
    case .relative(let name):
      "an empty folder has no program \(name): give its absolute path, as in -- \"$PWD\"/…, or leave --directory out"
    }
  }
}
