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

  /// - Throws: the fault. What differs from input to input is not looked at.
  static func check(_ settings: ProgramSettings) throws(ProgramCheckFault) {
    if let folder = settings.directory, kind(folder) != S_IFDIR { throw .noFolder(folder) }
    let program = settings.words[0]
    guard !ProgramTemplate([program]).hasPlaceholders, ProgramSearch.path(of: program) == nil else {
      return
    }
    guard program.hasSlash else { throw .notInPath(program) }
    switch kind(program) {
    case nil: throw .missing(program)
    case S_IFDIR: throw .directory(program)
    default: throw .notExecutable(program)
    }
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
    case .notInPath(let name):
      (access(name, F_OK) == 0
        ? "there is no program \(name) in the PATH: ./\(name) is the one in this folder"
        : "there is no program \(name) in the PATH: check its name, or give its path")
        + Self.elsewhere
    case .directory(let path): "\(path) is a folder, and no program: check the path"
    case .notExecutable(let path):
      "\(path) may not be executed: run chmod +x \(ShellWord.quoted(path)), or name its interpreter after --"
    case .noFolder(let path):
      "--directory \(path): there is no such folder: check its path, or make it" + Self.elsewhere
    }
  }
}
