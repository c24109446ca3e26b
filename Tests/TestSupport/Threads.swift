import Foundation
import TestStart

/// The threads of all tests and of what they test, in place of Swift's pool.
///
/// That has one thread for each processor. Tests may compute for seconds, or wait for a process in a system call, and
/// would hold up those that wait for a message or a clock.
final class Threads: TaskExecutor {
  private static let all = Threads()

  private let queue = OperationQueue()

  /// More than tests that run at a time, so that what they wait for runs too.
  private init() { queue.maxConcurrentOperationCount = 8 * skynet_tests_width() }

  func enqueue(_ job: UnownedJob) {
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Sets the hook by which Swift's runtime lets a process run tasks elsewhere than in its pool. `Tests/TestStart` calls
  /// this before the process has a task.
  static func takeThePlaceOfThePool() {
    typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void
    let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")
    hook?.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Threads.all.enqueue(job) }
  }
}

@_cdecl("skynet_tests_have_threads")
func haveThreads() { Threads.takeThePlaceOfThePool() }
