import NIOCore
import NIOPosix
import SkyNetCluster

/// The event loop of all connections to peers, as the executor of this process's cluster: a call goes from the socket to
/// the actors and back without a switch of threads.
///
/// The event loop looks at its sockets only when no job is left, so jobs that run here must not lead to further ones
/// without end.
final class EventLoopExecutor: EngineExecutor {
  static let shared = EventLoopExecutor()
  /// Made when it is first needed, as it takes threads and descriptors; see ``EventLoops/all()``.
  static let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

  var isCurrent: Bool { Self.eventLoop.inEventLoop }

  func execute(_ body: @escaping @Sendable () -> Void) { Self.eventLoop.execute(body) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Self.eventLoop.execute {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}
