import CProcess
import Foundation

/// The main function of the process that makes keepers, and ends what a keeper leaves that is
/// killed. It has one thread, and lives for as long as the process that gives orders.
struct Launcher {
  private let socket: ProcessSocket
  /// A pipe by whose end keepers hear that this process is gone.
  private let life: (reading: CInt, writing: CInt)
  /// The folder of the programs' own folders.
  private let folders: String
  private var keepers: [RunningKeeper] = []
  /// The keepers that were killed, and of whose programs something may be left.
  private var killed: [RunningKeeper] = []
  /// When the keepers must have ended, as no more orders come; `nil` before.
  private var deadline: Double?

  private struct RunningKeeper {
    let slot: Int
    let process: pid_t
    /// This process's copy of the keeper's end of its socket: to report that it was killed.
    let socket: ProcessSocket
  }

  /// - Parameters:
  ///   - socket: the end of a socket on which orders come.
  ///   - folders: where the programs' own folders are made.
  static func run(socket: CInt, folders: String) -> Never {
    var life: [CInt] = [-1, -1]
    guard process_adopt("skynet-launcher") == 0, process_pipe(&life) == 0 else { _exit(1) }
    var launcher = Launcher(
      socket: ProcessSocket(socket: socket), life: (life[0], life[1]), folders: folders)
    launcher.serve()
    _exit(0)
  }

  private init(socket: ProcessSocket, life: (reading: CInt, writing: CInt), folders: String) {
    (self.socket, self.life, self.folders) = (socket, life, folders)
  }

  private mutating func serve() {
    while true {
      reap()
      let isClear = (killed.isEmpty && deadline == nil) || clear()
      guard let deadline else {
        takeOrder(isClear ? -1 : 10)
        continue
      }
      if keepers.isEmpty, isClear { break }
      // One that hangs in the kernel ends only when that lets it go.
      if MonotonicTime.now > deadline { for keeper in keepers { kill(keeper.process, SIGKILL) } }
      _ = process_await(nil, 0, isClear ? 200 : 10)
    }
    ProgramFolder.removeAll(folders)
  }

  private mutating func takeOrder(_ milliseconds: CInt) {
    var file = pollfd(fd: socket.socket, events: Int16(POLLIN), revents: 0)
    guard process_await(&file, 1, milliseconds) > 0 else { return }
    guard let (message, descriptors) = socket.receive(atMost: LauncherMessage.size) else {
      deadline = MonotonicTime.now + KeptChildren.keepersTime
      return
    }
    switch LauncherMessage(message) {
    case .keeper(let slot) where descriptors.count == 1:
      makeKeeper(slot, ProcessSocket(socket: descriptors[0]))
      return
    case .kill(let slot):
      for keeper in keepers where keeper.slot == slot { kill(keeper.process, SIGKILL) }
    default: break
    }
    for descriptor in descriptors { close(descriptor) }
  }

  private mutating func makeKeeper(_ slot: Int, _ end: ProcessSocket) {
    let process = process_fork()
    if process == 0 {
      for other in keepers + killed { close(other.socket.socket) }
      close(socket.socket)
      close(life.writing)
      Keeper.run(
        socket: end.socket, launcher: life.reading, folder: ProgramFolder(in: folders, slot: slot))
    }
    if process > 0 {
      keepers.append(RunningKeeper(slot: slot, process: process, socket: end))
    } else {
      try? end.send(KeeperReport.noKeeper(errno).bytes)
      close(end.socket)
    }
  }

  private mutating func reap() {
    var status: CInt = 0
    while case let process = waitpid(-1, &status, WNOHANG | WUNTRACED), process > 0 {
      guard let index = keepers.firstIndex(where: { $0.process == process }) else { continue }
      // A program has stopped its keeper, which else would not notice the program's end.
      guard !isStopped(status) else {
        kill(process, SIGCONT)
        continue
      }
      let keeper = keepers.remove(at: index)
      if status == 0 {
        close(keeper.socket.socket)
      } else {
        killed.append(keeper)
      }
    }
  }

  /// Kills what is below this process and belongs to no keeper, and when nothing is, reports.
  ///
  /// - Returns: whether nothing is.
  private mutating func clear() -> Bool {
    let kept = Set(keepers.map(\.process))
    let strays = ProcessTree.children().filter { !kept.contains($0) }
    guard strays.isEmpty else {
      ProcessTree.kill(from: strays)
      return false
    }
    for keeper in killed {
      ProgramFolder(in: folders, slot: keeper.slot).remove()
      try? keeper.socket.send(KeeperReport.killed.bytes)
      close(keeper.socket.socket)
    }
    killed = []
    return true
  }
}
