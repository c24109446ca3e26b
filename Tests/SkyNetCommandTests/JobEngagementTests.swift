import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetCommand
@testable import SkySimulation

@Suite("What runs beside an engagement")
struct JobEngagementTests {
  private struct Broken: Error {}

  private let shutdown = ShutdownTrigger()
  private let job = SimulatedJob(
    sectorCount: 1, settings: SimulatedScan.Settings(seconds: 0, failingEvery: 0))

  private func engagement(
    _ end: @escaping () async throws -> Void
  ) -> JobEngagement<SimulatedJob> {
    JobEngagement(journal: nil, shutdown: shutdown) { [job] in
      try await end()
      return (job, Tally(total: 7))
    }
  }

  @Test("If what runs beside fails, the engagement shuts down, and the run fails with that error")
  func fails() async throws {
    let engagement = engagement { [shutdown] in try await shutdown.wait() }
    await #expect(throws: Broken.self) {
      try await engagement.run(beside: { throw Broken() }, ended: {})
    }
  }

  @Test("If the engagement fails, what runs beside is cancelled")
  func cancelled() async throws {
    let (waiting, ending) = AsyncStream.makeStream(of: Void.self)
    let engagement = engagement { throw Broken() }
    await #expect(throws: Broken.self) {
      try await engagement.run(
        beside: {
          for await _ in waiting {}
          try Task.checkCancellation()
        }, ended: {})
    }
    ending.finish()
  }

  @Test("After the engagement, what runs beside is told, and awaited")
  func awaited() async throws {
    let (waiting, ending) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Int.self)
    let tally = try await engagement {}.run(
      beside: {
        for await _ in waiting {}
        end.yield(2)
        end.finish()
      },
      ended: {
        end.yield(1)
        ending.finish()
      }
    ).tally
    #expect(tally.total == 7)
    var order: [Int] = []
    for await number in ended { order.append(number) }
    #expect(order == [1, 2])
  }
}
