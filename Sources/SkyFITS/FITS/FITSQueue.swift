import Dispatch

/// An executor that runs an actor's work on a dispatch queue of its own: CFITSIO blocks, and
/// Swift's cooperative threads must not.
///
/// `DispatchSerialQueue`, which is an executor itself, is not there on Linux.
package final class FITSQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "skynet.fits")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
