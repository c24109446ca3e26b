import Foundation

/// Why a reader process ended.
enum ReaderEnding: Error, Hashable {
  /// A signal ended the reader.
  case signal(CInt)
  /// The reader ended without a signal, or closed its end of the socket.
  case closed
  /// The process that started the reader ended it.
  case ended
  /// The reader used more processor time than it was granted, and was ended.
  case outOfTime
  /// The reader did not answer in time, and was ended.
  case silent
  /// The reader gave an impossible answer, and was ended.
  case impossibleAnswer(String)
  /// This system does not let the reader confine itself.
  case notConfined(CInt)
  /// No process can be started: the system's error.
  case notStarted(CInt)
  /// The process that starts readers is gone.
  case noSpawner

  /// The error for the file that was being read.
  func error(path: String) -> FITSError {
    let again = "check it with fitsverify, or fetch it again"
    func damaged(_ how: String) -> FITSError {
      FITSError(
        .readerEnded, path: path,
        fault: "reading it ended the reader (\(how)): the file is damaged or hostile",
        nextStep: again)
    }
    switch self {
    case .signal(SIGKILL):
      return FITSError(
        .readerEnded, path: path, fault: "its reader was killed from outside",
        nextStep: "see whether this machine, or this container, is out of memory, and run the "
          + "command again")
    case .signal(SIGBUS):
      return FITSError(
        .readerEnded, path: path,
        fault:
          "reading it ended the reader (signal \(SIGBUS)): it was cut short meanwhile, its disk "
          + "cannot be read, or it is damaged",
        nextStep: again)
    case .signal(let number): return damaged("signal \(number)")
    case .closed: return damaged("it ended by itself")
    case .ended:
      return FITSError(
        .readerEnded, path: path, fault: "is not read any more, as its reader was ended",
        nextStep: "start the program again")
    case .outOfTime: return damaged("it took too long")
    case .silent:
      return FITSError(
        .readerEnded, path: path,
        fault:
          "its reader did not answer in time: it was stopped, or waited for the disk or a busy "
          + "machine",
        nextStep:
          "see whether the disk or network that the file is on answers, and run the command again")
    case .impossibleAnswer(let what): return damaged("its answer, \(what), cannot be")
    case .notConfined(let reason):
      return FITSError(
        .readerEnded, path: path,
        fault: "is not read, as this system does not let its reader be confined by seccomp "
          + "(\(String(cString: strerror(reason))))",
        nextStep: "allow seccomp in this container, or use a kernel that has it")
    case .notStarted(let reason):
      return FITSError(
        .readerEnded, path: path,
        fault: "is not read, as no process can be started for that "
          + "(\(String(cString: strerror(reason))))",
        nextStep:
          "see how many processes and open files this account may have (ulimit -u, ulimit -n)")
    case .noSpawner:
      return FITSError(
        .readerEnded, path: path,
        fault: "is not read, as the process that starts readers was ended from outside",
        nextStep: "see whether this machine, or this container, is out of memory, and run the "
          + "command again")
    }
  }

  /// The same, where there is no file yet.
  var reason: String {
    guard case .notStarted(let reason) = self else { return "\(self)" }
    return
      "no process can be started to read images (\(String(cString: strerror(reason)))); see how "
      + "many this account may have (ulimit -u)"
  }
}
