import Foundation
import Testing

/// Has tests run on threads of their own. Simulations keep a thread busy for long, and on those of
/// Swift's pool they would hold up other tests, whose limits are told in seconds.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  private static let threads = Threads()

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  static var ownThreads: Self { Self() }
}

/// One thread, so that others have the rest of the machine; all of it where many seeds are wanted.
private final class Threads: TaskExecutor {
  private let queue = OperationQueue()

  init() {
    let isAlone = ProcessInfo.processInfo.environment["SKYNET_SEEDS"] != nil
    queue.maxConcurrentOperationCount = isAlone ? ProcessInfo.processInfo.activeProcessorCount : 1
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
