import CProcess
import Foundation
import Synchronization

/// Runs programs, each as a process with all that it starts: when the first process of a program has
/// ended, or the program is cancelled, or this process is gone, then nothing of it is left.
///
/// Four kinds of processes stand below this one. The guardian is forked at the beginning, when this
/// one is small and has no secret; it makes the launcher, and another one when that is killed. The
/// launcher makes the keepers. A keeper runs one program at a time, and is used again. Programs are
/// their children, of which the kernel makes the orphans the keeper's own.
package final class ProgramRunner: Sendable {
  private let guardian: pid_t
  /// On which the launcher takes orders.
  private let launcher: ProcessSocket
  private let environment: ProgramEnvironment
  private let state = Mutex(State())

  private struct State {
    /// The keepers that are there, by slot.
    var keepers: [Int: KeeperLink] = [:]
    /// The slots whose keepers run a program.
    var busy: Set<Int> = []
    var isEnded = false
  }

  /// How long a program may run after it was cancelled, on a busy machine: a second between SIGTERM and SIGKILL, and what
  /// the killing takes.
  package static let longestEnd = Duration.seconds(KeptChildren.grace + 2)

  /// The longest time for which the processes of this room may take no message, in seconds.
  private static let patience = 15

  /// Forks off the process that starts programs. Call it at the very beginning of a program: before
  /// a second thread exists (so not after the first `await`), and before the program has read any
  /// secret. Programs get the variables that this process has then, without those whose names begin
  /// with `SKYNET_`; `PWD` is their folder.
  ///
  /// - Throws: ``ProgramFault/notStarted(_:_:)`` if no process can be started.
  package static func start() throws(ProgramFault) -> ProgramRunner {
    let folder = TemporaryPlace.named ?? "/tmp"
    let (own, others) = try socketPair()
    let process = process_fork()
    if process == 0 { Guardian.run(socket: others, temporaryFolder: folder) }
    let reason = errno
    close(others)
    guard process > 0 else {
      close(own)
      throw .notStarted(.process, reason)
    }
    // Among the variables may be a key, of which what was forked must have no copy.
    return ProgramRunner(
      guardian: process, launcher: ProcessSocket(socket: own), environment: .own)
  }

  private init(guardian: pid_t, launcher: ProcessSocket, environment: ProgramEnvironment) {
    (self.guardian, self.launcher, self.environment) = (guardian, launcher, environment)
  }

  deinit { end() }

  /// Runs a program, and blocks the thread until it has ended, with all that it started.
  ///
  /// Cancelling ends the program: SIGTERM to all its processes, and SIGKILL a second later.
  ///
  /// - Throws: ``ProgramFault``; `CancellationError`.
  package func run(_ order: ProgramOrder) async throws -> ProgramEnding {
    try Task.checkCancellation()
    let keeper = try claim()
    var run = RunningProgram(keeper, outputLimit: order.outputLimit, killKeeper: kill)
    let cancellation = WakeUp(keeper)
    let result = await withTaskCancellationHandler {
      Result { () throws(ProgramFault) in
        let words = try KeeperOrder.bytes(for: order, environment: environment, slot: keeper.slot)
        return try run.perform(words, input: order.input)
      }
    } onCancel: {
      cancellation.ring()
    }
    cancellation.end()
    release(keeper, isUsable: run.isKeeperUsable)
    guard !run.isCancelled else { throw CancellationError() }
    if state.withLock({ $0.isEnded }) || isOver(within: 0) { throw ProgramFault.launcherEnded }
    switch try result.get() {
    case .ended(let status, let left):
      return ProgramEnding(
        status: status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f),
        output: try run.output.whole(), errors: run.errors, isTooLong: run.isTooLong, left: left)
    case .notExecuted(let reason) where ProgramFault.isShortage(reason):
      throw ProgramFault.notStarted(.process, reason)
    case .notExecuted(let reason): throw ProgramFault.notStarted(.program(order.path), reason)
    case .noDirectory(let reason, let path):
      throw ProgramFault.notStarted(.directory(path), reason)
    case .noKeeper(let reason): throw ProgramFault.notStarted(.process, reason)
    case .killed, .notUnderstood: throw ProgramFault.keeperEnded
    }
  }

  /// Ends all programs, and waits until they have ended, for at most a few seconds. Current and
  /// later runs fail with ``ProgramFault/launcherEnded``.
  package func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      // Those that run a program end it first. The others end at once.
      for keeper in state.keepers.values { shutdown(keeper.socket.socket, CInt(SHUT_WR)) }
      for (slot, keeper) in state.keepers where !state.busy.contains(slot) {
        keeper.close()
        state.keepers[slot] = nil
      }
      return !state.isEnded
    }
    guard isFirst else { return }
    shutdown(launcher.socket, CInt(SHUT_WR))
    // The guardian has a stopped launcher go on, and that one a stopped keeper.
    Foundation.kill(guardian, SIGCONT)
    if !isOver(within: 8) {
      // The guardian ends when what was killed has ended, and removes the folders.
      ProcessTree.kill(from: ProcessTree.children(of: guardian))
      Foundation.kill(guardian, SIGCONT)
    }
    // One that waits for a process which hangs in the kernel is left to do so.
    if isOver(within: 2) { while waitpid(guardian, nil, 0) < 0, errno == EINTR {} }
    close(launcher.socket)
  }

  /// Whether guardian and launcher are gone.
  private func isOver(within seconds: Double) -> Bool {
    let deadline = MonotonicTime.now + seconds
    var end = pollfd(fd: launcher.socket, events: Int16(POLLIN), revents: 0)
    while true {
      let rest = max(0, deadline - MonotonicTime.now)
      let count = poll(&end, 1, CInt(rest * 1000))
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}

extension ProgramRunner {
  /// The keeper of the first free slot, which is made if there is none.
  private func claim() throws(ProgramFault) -> KeeperLink {
    try state.withLock { state in
      Result { () throws(ProgramFault) in
        guard !state.isEnded else { throw .launcherEnded }
        let slot = (1...).first { !state.busy.contains($0) }!
        let keeper: KeeperLink
        if let known = state.keepers[slot], !known.hasNews {
          keeper = known
        } else {
          // It was killed when no program ran.
          state.keepers.removeValue(forKey: slot)?.close()
          keeper = try makeKeeper(slot)
        }
        state.keepers[slot] = keeper
        state.busy.insert(slot)
        return keeper
      }
    }.get()
  }

  private func makeKeeper(_ slot: Int) throws(ProgramFault) -> KeeperLink {
    let (own, others) = try Self.socketPair()
    defer { close(others) }
    let keeper: KeeperLink
    do throws(ProgramFault) {
      keeper = try KeeperLink(slot: slot, socket: own)
    } catch {
      close(own)
      throw error
    }
    do throws(ProcessSocket.Fault) {
      try launcher.send(LauncherMessage.keeper(slot: slot).bytes, descriptors: [others])
    } catch {
      keeper.close()
      throw .launcherEnded
    }
    return keeper
  }

  private func release(_ keeper: KeeperLink, isUsable: Bool) {
    state.withLock { state in
      state.busy.remove(keeper.slot)
      if !isUsable || state.isEnded {
        state.keepers[keeper.slot] = nil
        keeper.close()
      }
    }
  }

  /// - Returns: whether the launcher takes the message.
  private func kill(_ keeper: KeeperLink) -> Bool {
    state.withLock { state in
      !state.isEnded
        && (try? launcher.send(LauncherMessage.kill(slot: keeper.slot).bytes)) != nil
    }
  }

  private static func socketPair() throws(ProgramFault) -> (own: CInt, others: CInt) {
    do throws(ProcessSocket.SystemError) {
      return try ProcessSocket.pair(patience: patience)
    } catch {
      throw .notStarted(.process, error.number)
    }
  }
}
