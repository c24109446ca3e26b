package import ArgumentParser
import Dispatch
import Foundation
import Logging
import SkyFiles
import Synchronization

/// The signals with which people, supervisors, and terminals that close stop a program.
///
/// The first asks the command to end. The second ends the process, whatever is blocked: the command has a moment to
/// tidy up, and then the process is gone. A third does not grant that moment. Where a command waits for the other end of
/// a pipe, which may never come, the first is as good as the second.
///
/// The signals arrive on a queue of their own, whose thread nothing else uses, and so cannot hold up.
package enum Signals {
  private struct Received {
    var statuses: [ExitCode] = []
    var watchers: [UUID: AsyncStream<ExitCode>.Continuation] = [:]
  }

  /// How long the command may tidy up after the second signal.
  private static let grace = DispatchTimeInterval.milliseconds(750)

  /// How often it is looked whether a pipe holds the command up that was asked to end.
  private static let look = DispatchTimeInterval.milliseconds(100)

  private static let received = Mutex(Received())
  private static let queue = DispatchQueue(label: "skynet.signals")

  /// The sources of the signals that stop this process: SIGINT, SIGTERM, and SIGHUP, unless SIGHUP was ignored when
  /// the process began, as under `nohup`. They stay for the rest of its life: a signal at its end counts too. (Unsafe
  /// by its type only: nobody uses them once they are made.)
  private nonisolated(unsafe) static let sources: [any DispatchSourceSignal] = {
    let registered = DispatchGroup()
    let stopping = isIgnored(SIGHUP) ? [SIGTERM, SIGINT] : [SIGTERM, SIGINT, SIGHUP]
    let sources = stopping.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { arrived(number == SIGINT ? .interrupted : .terminated) }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.activate()
      return source
    }
    registered.wait()
    return sources
  }()

  /// From now on no signal that stops a process ends this one by itself.
  package static func trap() { _ = sources }

  /// Calls `body` for each signal since they were trapped first, with its number and the exit status for it, until
  /// `body` returns `false` or the task is cancelled.
  package static func watch(_ body: (_ count: Int, _ status: ExitCode) -> Bool) async {
    trap()
    let (statuses, continuation) = AsyncStream.makeStream(of: ExitCode.self)
    let id = UUID()
    received.withLock { received in
      for status in received.statuses { continuation.yield(status) }
      received.watchers[id] = continuation
    }
    defer { received.withLock { $0.watchers[id] = nil } }
    var count = 0
    for await status in statuses {
      count += 1
      guard body(count, status) else { return }
    }
  }

  private static func arrived(_ status: ExitCode) {
    let statuses = received.withLock { received in
      received.statuses.append(status)
      for watcher in received.watchers.values { watcher.yield(status) }
      return received.statuses
    }
    let first = statuses[0].rawValue
    switch statuses.count {
    case 1: endIfHeldUp(statuses[0])
    // What `exit` would do before the end may wait for the thread that is blocked.
    case 2:
      tellOfPipe()
      queue.asyncAfter(deadline: .now() + grace) { _exit(first) }
    default: _exit(first)
    }
  }

  /// Ends the process once it has waited for the other end of a pipe for a second, as a second signal does.
  private static func endIfHeldUp(_ status: ExitCode) {
    queue.asyncAfter(deadline: .now() + look) {
      guard received.withLock({ $0.statuses.count == 1 }) else { return }
      if NamedPipe.awaited == nil { endIfHeldUp(status) } else { arrived(status) }
    }
  }

  /// Names the pipe that has held the process up.
  private static func tellOfPipe() {
    guard let pipe = NamedPipe.awaited else { return }
    // Standard error may be one whose reader takes nothing.
    DispatchQueue.global().async {
      Console.standardError.line(
        "stopped while waiting for the program at the other end of the pipe \(pipe)", level: .error)
      Console.standardError.flush()
    }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    // `sigaction` could look without changing, but Swift names it differently on each platform.
    let before = signal(number, SIG_IGN)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
