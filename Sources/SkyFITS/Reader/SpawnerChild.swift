import CProcess
import Foundation
import SkyProcess

/// The main function of the spawner: it gives up every ability that neither it nor a reader needs,
/// and then forks readers until its parent is gone.
enum SpawnerChild {
  /// The message that asks for a reader. The reader's end of the socket accompanies it.
  static let order = Data([1])

  static func run(socket: CInt, parent: pid_t) -> Never {
    var socket = socket
    let error = confine(keeping: &socket, parent: parent)
    let connection = ProcessSocket(socket: socket)
    while let (_, descriptors) = connection.receive(atMost: order.count) {
      let report: SpawnerReport
      if error == 0, let end = descriptors.first {
        let pid = process_fork_brother()
        if pid == 0 {
          // A reader has its own socket only, and cannot ask for further readers.
          close(connection.socket)
          ReaderChild.run(socket: end, parent: parent)
        }
        report = pid > 0 ? .started(pid) : .notStarted(errno)
      } else {
        report = .notConfined(error)
      }
      for descriptor in descriptors { close(descriptor) }
      do { try connection.pass(report.bytes) } catch { _exit(1) }
    }
    _exit(0)
  }

  /// Readers inherit all of it. Returns 0, or the system's error.
  ///
  /// - Parameter socket: gets another number, also if a later step fails, so that the parent hears of that.
  private static func confine(keeping socket: inout CInt, parent: pid_t) -> CInt {
    // Signals that a person types, or that a service manager sends to the group, are for the
    // parent. These processes end with their parent.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2] {
      signal(number, SIG_IGN)
    }
    // The Swift runtime's crash report would be of no use for hostile bytes.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] {
      signal(number, SIG_DFL)
    }
    #if !os(Linux)
      // Readers are children of the spawner there, and leave no zombies.
      signal(SIGCHLD, SIG_IGN)
    #endif
    process_forget_environment()
    guard process_keep_descriptor(socket) == 0 else { return errno }
    socket = 3
    guard process_limit(UInt64(ReaderLimits.memory)) == 0 else { return errno }
    #if os(Linux)
      guard process_end_with_parent("skynet-spawner") == 0 else { return errno }
      // The parent may have ended before the call.
      guard getppid() == parent else { _exit(0) }
      guard process_give_up_privileges() == 0, process_confine_spawner() == 0 else { return errno }
    #endif
    return 0
  }
}
