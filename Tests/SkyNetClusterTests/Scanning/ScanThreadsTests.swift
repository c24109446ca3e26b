import Foundation
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Threads for scans", .timeLimit(.minutes(20)))
struct ScanThreadsTests {
  @Test("Each thread runs an errand once, also one that has slept, and goes on with scans")
  func errands() async throws {
    let threads = ScanThreads(count: 3)
    await Task(executorPreference: threads) {}.value
    for _ in 1...2 {
      let runs = Watched<[ObjectIdentifier]>([])
      threads.onEach { runs.update { $0.append(ObjectIdentifier(Thread.current)) } }
      try await runs.wait { Set($0).count == 3 }
      #expect(runs.value.count == 3)
      await Task(executorPreference: threads) {}.value
    }
  }
}
