import Dispatch

/// An executor that runs an actor's work on a dispatch queue of its own, because CFITSIO blocks,
/// and Swift's cooperative threads must not block.
///
/// `DispatchSerialQueue`, which is an executor itself, does not exist on Linux.
package final class FITSQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "skynet.fits")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
