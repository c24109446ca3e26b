import NIOCore
import NIOPosix
import SkyNetCluster

/// The event loop of all connections to peers, as the executor of this process's cluster: a call goes from the socket to
/// the actors and back without a switch of threads.
///
/// Most jobs are made by other jobs: a call from one actor to another, an answer that resumes its caller. They do not go
/// by the event loop's own queue, which has a lock and an allocation for each.
///
/// The event loop looks at its sockets only when no job is left, so jobs that run here must not lead to further ones
/// without end.
final class EventLoopExecutor: EngineExecutor {
  static let shared = EventLoopExecutor()
  /// Made when it is first needed, as it takes threads and descriptors; see ``EventLoops/all()``.
  static let eventLoop = EventLoops.made.next()
  private static let jobs = NIOLoopBoundBox.makeBoxSendingValue(LoopJobs(), eventLoop: eventLoop)

  var isCurrent: Bool { Self.eventLoop.inEventLoop }

  func execute(_ body: @escaping @Sendable () -> Void) { Self.eventLoop.execute(body) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard isCurrent else {
      return Self.eventLoop.execute {
        Self.jobs.value.waiting.append(job)
        self.runJobs()
      }
    }
    let jobs = Self.jobs.value
    jobs.waiting.append(job)
    guard !jobs.areDue else { return }
    jobs.areDue = true
    Self.eventLoop.execute { self.runJobs() }
  }

  private func runJobs() {
    let jobs = Self.jobs.value
    jobs.areDue = true
    swap(&jobs.running, &jobs.waiting)
    let (serial, preferred) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
    for job in jobs.running { job.runSynchronously(isolatedTo: serial, taskExecutor: preferred) }
    jobs.running.removeAll(keepingCapacity: true)
    // What these jobs send leaves before the next ones run, so that the other end has something to do meanwhile.
    if !jobs.waiting.isEmpty { return Self.eventLoop.execute { self.runJobs() } }
    jobs.areDue = false
  }
}

/// The jobs that the event loop has for itself.
///
/// They are used on the event loop alone, and no job runs during an access to them: the loop over `running` goes over a
/// copy. So Swift need not look for accesses that overlap.
private final class LoopJobs {
  @exclusivity(unchecked) var waiting: [UnownedJob] = []
  @exclusivity(unchecked) var running: [UnownedJob] = []
  /// Whether the event loop is about to run them, or does.
  @exclusivity(unchecked) var areDue = false
}
