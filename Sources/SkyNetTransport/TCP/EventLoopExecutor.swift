import NIOCore
import Synchronization

/// Runs tasks on an event loop: a call that is answered there goes from the socket and back to it
/// without a switch of threads.
///
/// The jobs of one turn have a queue of their own, as the event loop's costs more for each.
final class EventLoopExecutor: TaskExecutor {
  private struct Waiting {
    var jobs: [UnownedJob] = []
    /// Whether the event loop already knows that there are some.
    var isAnnounced = false
  }

  private let eventLoop: any EventLoop
  private let waiting = Mutex(Waiting())

  init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = waiting.withLock { waiting in
      waiting.jobs.append(job)
      defer { waiting.isAnnounced = true }
      return !waiting.isAnnounced
    }
    // The closure holds the executor, which must outlive the job.
    if isFirst { eventLoop.execute { self.runJobs() } }
  }

  /// Those that they lead to come after what else the event loop has to do by then. It looks at its
  /// sockets when nothing is left, so what runs here must come to an end.
  private func runJobs() {
    let jobs = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
