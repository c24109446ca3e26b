import CProcess
import Foundation

/// The main function of the process above the launcher. When a program stops the launcher, this one has it go on; when
/// a program kills it, this one ends what it has left, and makes another. The orders stay in the socket meanwhile.
///
/// It waits for its child and reads nothing, so that next to nothing can go wrong with it.
enum Guardian {
  /// - Parameters:
  ///   - socket: the end of a socket on which orders come.
  ///   - temporaryFolder: where the programs' own folders are made.
  static func run(socket: CInt, temporaryFolder: String) -> Never {
    guard confine(keeping: socket) == 0 else { _exit(1) }
    let folders = "\(temporaryFolder)/\(LeftFolders.prefix)\(ProgramFolder.randomName)"
    var isFirst = true
    while true {
      let launcher = process_fork()
      // Confining has moved the socket to number 3.
      if launcher == 0 { Launcher.run(socket: 3, folders: folders) }
      guard launcher > 0 else { _exit(1) }
      if isFirst { startRemovingLeftFolders(temporaryFolder) }
      isFirst = false
      let status = end(of: launcher)
      // Keepers without a launcher end their programs and themselves. What is left then had its keeper killed, too.
      // Nothing is sent to programs before: one that exits with 0 at that would seem to have succeeded.
      var left = KeptChildren(program: launcher)
      left.killRest(after: KeptChildren.keepersTime)
      ProgramFolder.removeAll(folders)
      if status & 0x7f == 0 { _exit(status >> 8) }
      // Should no launcher live, the processor has other work.
      usleep(100_000)
    }
  }

  /// Removes, beside all else, what was left by others of which every process was killed. It is ended with this process,
  /// and another run goes on.
  private static func startRemovingLeftFolders(_ temporaryFolder: String) {
    guard process_fork() == 0 else { return }
    close(3)
    LeftFolders.remove(in: temporaryFolder)
    _exit(0)
  }

  /// - Returns: what `waitpid` gave.
  private static func end(of launcher: pid_t) -> CInt {
    var status: CInt = 0
    while true {
      let process = waitpid(-1, &status, WUNTRACED)
      if process == launcher, !isStopped(status) { return status }
      if process == launcher { kill(launcher, SIGCONT) }
    }
  }

  /// The launcher, keepers and programs inherit all of it, but programs not the signals. Returns 0, or -1.
  private static func confine(keeping socket: CInt) -> CInt {
    setsid()
    // Signals that a person types, or that a service manager sends, are for the process above.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP] {
      signal(number, SIG_IGN)
    }
    // The Swift runtime's crash report is for the process above.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] {
      signal(number, SIG_DFL)
    }
    // Programs get their variables with each order.
    process_forget_environment()
    guard process_keep_descriptor(socket) == 0, fcntl(3, F_SETFD, FD_CLOEXEC) == 0,
      process_adopt("skynet-guardian") == 0, process_gain_nothing() == 0
    else { return -1 }
    return chdir("/") == 0 ? process_notice_children() : -1
  }
}

/// Whether a status of `waitpid` with WUNTRACED says that the child was stopped.
func isStopped(_ status: CInt) -> Bool { status & 0xff == 0x7f }
