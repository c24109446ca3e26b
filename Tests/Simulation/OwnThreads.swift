import Foundation
import Testing

/// Runs tests on threads of their own. A simulation keeps its thread busy for long. On a thread of
/// Swift's pool it would hold up other tests, which have limits of some seconds.
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

/// One thread, so that other tests have the rest of the machine; a thread for each core if the
/// environment asks for many seeds.
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
