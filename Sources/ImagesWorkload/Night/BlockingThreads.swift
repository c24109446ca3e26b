import Dispatch
import SkyNetCommand

/// An executor for tasks that block, such as those that wait for a disk: Swift's cooperative threads must not block.
/// Each of its tasks may have a thread at the same time, so there should be few.
final class BlockingThreads: TaskExecutor {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
