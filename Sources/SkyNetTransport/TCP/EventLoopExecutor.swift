import NIOCore

/// Runs tasks on an event loop, so that a call that is answered there goes from the socket and back to it
/// without a switch of threads.
///
/// The event loop looks at its sockets only when no job is left, so jobs that run here must not lead to
/// further ones without end.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The closure holds the executor, which must outlive the job.
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
