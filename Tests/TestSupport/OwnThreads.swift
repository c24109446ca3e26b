import Foundation
package import Testing

/// Runs tests that compute for long on a thread of their own. On a thread of Swift's pool, of which there is one for
/// each processor, they would hold up the tests that wait for messages and clocks.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Threads.computing) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  package static var ownThreads: Self { Self() }
}

/// Threads beside those of Swift's pool.
package final class Threads: TaskExecutor {
  /// For tests of processes, which have to notice in time what a process does.
  package static let processes = Threads(ProcessInfo.processInfo.activeProcessorCount)

  fileprivate static let computing = Threads(ProcessInfo.processInfo.activeProcessorCount)

  private let queue = OperationQueue()

  private init(_ count: Int) { queue.maxConcurrentOperationCount = count }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
