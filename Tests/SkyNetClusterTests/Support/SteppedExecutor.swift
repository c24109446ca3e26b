import DequeModule
import Foundation
import SkyNetCluster
import Synchronization

/// An engine's executor whose jobs run one by one, when the thread that has made it says so.
final class SteppedExecutor: EngineExecutor {
  private let jobs = Mutex(Deque<@Sendable () -> Void>())
  private let thread = ObjectIdentifier(Thread.current)

  var pool: any TaskExecutor { self }
  var isCurrent: Bool { ObjectIdentifier(Thread.current) == thread }

  func execute(_ body: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(body) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    execute {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  /// Runs the next job. Returns whether there was one.
  func step() -> Bool {
    guard let job = jobs.withLock({ $0.popFirst() }) else { return false }
    job()
    return true
  }
}
