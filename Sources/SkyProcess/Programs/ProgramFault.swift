import Foundation

/// Why a program was not run, or not to its end. The description names the fault and the next step.
package enum ProgramFault: Error, Hashable {
  /// What the system refused, with its error's number.
  case notStarted(What, CInt)
  /// An argument, a variable or a path has a zero byte, which no program can be given; or a
  /// variable's name is empty or has an equals sign.
  case notAWord(String)
  /// A long output could not be written to a file in this folder.
  case outputNotKept(String, CInt)
  /// The process that kept the program, or the one above it, was killed, by a program or from outside. What the program
  /// started has been ended.
  case keeperEnded
  /// The processes that start programs were ended, from outside or by ``ProgramRunner/end()``: no
  /// program can be run any more.
  case launcherEnded

  package enum What: Hashable, Sendable {
    /// Executing the file at this path.
    case program(String)
    /// Entering this folder, or making it.
    case directory(String)
    /// Making the program's process, its pipes or its input.
    case process
  }
}

extension ProgramFault {
  /// Whether an error says that the machine is short of processes, open files, memory or disk: nothing is wrong with the
  /// program.
  package static func isShortage(_ reason: CInt) -> Bool {
    [EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT].contains(reason)
  }

  /// Whether the system may take later what it has refused: it lacked something, or the file was being written or read
  /// over a network.
  package static func mayPass(_ reason: CInt) -> Bool {
    isShortage(reason) || [ETXTBSY, EIO, ESTALE].contains(reason)
  }
}

extension ProgramFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStarted(.program(let path), ENOEXEC):
      "\(path) is no program that this system can execute: begin a script with a line such as "
        + "#!/bin/sh"
    case .notStarted(.program(let path), E2BIG):
      "\(path) is given more words than this system allows (getconf ARG_MAX, and 128 KiB for one): "
        + "give long input on standard input"
    case .notStarted(.program(let path), ENOENT):
      "there is no \(path), or not what loads it: see whether it is there, and is a program for this machine"
    case .notStarted(.program(let path), EACCES):
      "this account may not execute \(path): see its permissions (chmod +x), those of the folders "
        + "above, and whether its file system is mounted with noexec"
    case .notStarted(.program(let path), let reason):
      "\(path) cannot be executed (\(Self.text(reason))): see whether it is a program for this "
        + "machine"
    case .notStarted(.directory(let path), let reason) where Self.mayPass(reason):
      "the program's folder \(path) cannot be used (\(Self.text(reason))): see whether its disk has room, and how many "
        + "files this account may have open (ulimit -n)"
    case .notStarted(.directory(let path), let reason):
      "the program cannot run in the folder \(path) (\(Self.text(reason))): see whether it is "
        + "there on this machine, and this account may use it"
    case .notStarted(.process, let reason):
      "no process can be started for the program (\(Self.text(reason))): see how many processes "
        + "and open files this account may have (ulimit -u, ulimit -n)"
    case .outputNotKept(let folder, let reason):
      "the program's output is long, and cannot be kept in \(folder) (\(Self.text(reason))): see whether its disk has "
        + "room, or name another folder by TMPDIR"
    case .notAWord(let word):
      "\(String(reflecting: word)) cannot be given to a program: it has a zero byte, or is no "
        + "name of a variable"
    case .keeperEnded:
      "a process that kept the program was killed, by a program or from outside: see whether a "
        + "program here kills its parent, or this machine is out of memory"
    case .launcherEnded:
      "the processes that start programs were ended: start this program again, and see whether this "
        + "machine is out of memory"
    }
  }

  private static func text(_ reason: CInt) -> String { String(cString: strerror(reason)) }
}
