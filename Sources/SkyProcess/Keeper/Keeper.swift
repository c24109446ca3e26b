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
    /// A child may have ended, or the time is over.
    case child
    /// The launcher, or the process that gives orders, is gone.
    case over
  }

  /// - Parameter milliseconds: how long to wait at most; negative for as long as it takes.
  private func news(within milliseconds: CInt = -1) -> News {
    var files = [
      pollfd(fd: socket.socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: launcher, events: Int16(POLLIN), revents: 0),
    ]
    guard process_await(&files, CInt(files.count), milliseconds) > 0 else { return .child }
    guard files[1].revents == 0,
      let (message, descriptors) = socket.receive(atMost: KeeperMessage.longest)
    else { return .over }
    return .message(message, descriptors: descriptors)
  }

  private mutating func report(on message: Data, _ descriptors: [CInt]) -> KeeperReport {
    guard let order = KeeperOrder(message), descriptors.count >= 2 else { return .notUnderstood }
    do throws(ProgramFolder.Fault) {
      // The program inherits the current directory. This process stays in none that could be removed.
      try enter(order)
    } catch {
      return .noDirectory(error.reason, error.path)
    }
    let isOwn = order.directory == nil
    defer { if isOwn { folder.clear() } }
    let started = order.start(
      input: descriptors.count > 2 ? descriptors[2] : nothing, output: descriptors[0],
      errors: descriptors[1])
    _ = chdir("/")
    switch started {
    case .success(let process):
      let (status, leftProcesses) = keep(process)
      // A program may exit with 0 when it is ended.
      guard !isOver else { return .killed }
      var left = isOwn ? folder.left : ProgramLeavings()
      left.processes = leftProcesses
      return .ended(status, left)
    case .failure(let failure): return .notExecuted(failure.number)
    }
  }

  private mutating func enter(_ order: KeeperOrder) throws(ProgramFolder.Fault) {
    guard let directory = order.directory else { return try folder.enter() }
    guard chdir(directory) == 0 else {
      throw ProgramFolder.Fault(path: directory, reason: errno)
    }
    guard order.isInPlace else {
      _ = chdir("/")
      throw ProgramFolder.Fault(path: directory, reason: ESTALE)
    }
  }

  /// Waits for the end of the program and of what it has left, which has a second to end by itself, or for the command
  /// to end all. Ends what is left then.
  ///
  /// - Returns: the status of its first process, and whether that left others which had to be ended.
  private mutating func keep(_ process: pid_t) -> (status: CInt, leftProcesses: Bool) {
    var children = KeptChildren(program: process)
    /// When what the first process has left is ended.
    var deadline: Double?
    var leftProcesses = false
    wait: while children.reap() {
      if children.status != nil, deadline == nil {
        deadline = MonotonicTime.now + KeptChildren.grace
      }
      let rest = deadline.map { $0 - MonotonicTime.now }
      if let rest, rest <= 0 {
        leftProcesses = true
        break
      }
      switch news(within: rest.map { CInt($0 * 1000) + 1 } ?? -1) {
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
    return (children.status ?? SIGKILL, leftProcesses)
  }
}
