import Dispatch
import SkyNetCluster

/// An executor for a cluster inside the process: a serial queue of Dispatch.
package final class SerialQueueExecutor: EngineExecutor {
  private static let current = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "skynet.engine")

  package init() { queue.setSpecific(key: Self.current, value: ObjectIdentifier(self)) }

  package var isCurrent: Bool {
    DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self)
  }

  package func execute(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The closure holds the executor, which must outlive the job.
    queue.async {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}
