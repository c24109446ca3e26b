import CProcess
import Foundation

/// The main function of a process that runs programs, one after the other. It has one thread, which
/// waits in one place for news of its children and of the two processes above it. When one of these
/// is gone, the keeper ends its program and itself.
struct Keeper {
  private let socket: ProcessSocket
  /// The end of a pipe of which the launcher has the other one, and writes nothing.
  private let launcher: CInt
  private var folder: ProgramFolder
  /// What programs without input read.
  private let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
  private var isOver = false

  static func run(socket: CInt, launcher: CInt, folder: ProgramFolder) -> Never {
    guard process_adopt("skynet-keeper") == 0, process_notice_children() == 0 else { _exit(1) }
    var keeper = Keeper(socket: socket, launcher: launcher, folder: folder)
    keeper.serve()
    keeper.folder.remove()
    _exit(0)
  }

  private init(socket: CInt, launcher: CInt, folder: ProgramFolder) {
    (self.socket, self.launcher) = (ProcessSocket(socket: socket), launcher)
    self.folder = folder
  }

  private mutating func serve() {
    while !isOver {
      switch news() {
      case .child: continue
      case .over: return
      case .message(let message, let descriptors):
        // A command to stop comes too late for a program that has just ended.
        if message.first == KeeperMessage.order.rawValue {
          let report = report(on: message, descriptors)
          do { try socket.send(report.bytes) } catch { isOver = true }
        }
        // The pipes end after the report, so that their reader wakes once.
        for descriptor in descriptors { close(descriptor) }
      }
    }
  }

  private enum News {
    case message(Data, descriptors: [CInt])
    /// A child may have ended.
    case child
    /// The launcher, or the process that gives orders, is gone.
    case over
  }

  private func news() -> News {
    var files = [
      pollfd(fd: socket.socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: launcher, events: Int16(POLLIN), revents: 0),
    ]
    guard process_await(&files, CInt(files.count), -1) > 0 else { return .child }
    guard files[1].revents == 0,
      let (message, descriptors) = socket.receive(atMost: KeeperMessage.longest)
    else { return .over }
    return .message(message, descriptors: descriptors)
  }

  private mutating func report(on message: Data, _ descriptors: [CInt]) -> KeeperReport {
    guard let order = KeeperOrder(message), descriptors.count >= 2 else { return .notUnderstood }
    do throws(ProgramFolder.Fault) {
      // The program inherits the current directory. This process stays in none that could be removed.
      try enter(order.directory)
    } catch {
      return .noDirectory(error.reason, error.path)
    }
    defer { if order.directory == nil { folder.clear() } }
    let started = order.start(
      input: descriptors.count > 2 ? descriptors[2] : nothing, output: descriptors[0],
      errors: descriptors[1])
    _ = chdir("/")
    switch started {
    case .success(let process):
      let status = keep(process)
      // A program may exit with 0 when it is ended.
      return isOver ? .killed : .ended(status)
    case .failure(let failure): return .notExecuted(failure.number)
    }
  }

  /// - Parameter directory: `nil` for the program's own folder.
  private mutating func enter(_ directory: String?) throws(ProgramFolder.Fault) {
    guard let directory else { return try folder.enter() }
    guard chdir(directory) == 0 else {
      throw ProgramFolder.Fault(path: directory, reason: errno)
    }
  }

  /// Waits for the program's end, or for the command to end it, and ends what is left of it.
  ///
  /// - Returns: the status of its first process.
  private mutating func keep(_ process: pid_t) -> CInt {
    var children = KeptChildren(program: process)
    wait: while children.reap(), children.status == nil {
      switch news() {
      case .child: continue
      case .over:
        isOver = true
        break wait
      case .message(_, let descriptors):
        for descriptor in descriptors { close(descriptor) }
        break wait
      }
    }
    children.end()
    return children.status ?? SIGKILL
  }
}
