import Dispatch
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("A system's slots", .timeLimit(.minutes(20)))
struct ScanSystemTests {
  private let clock = ManualClock()
  private let log = LogRecord()

  private func system(slots: Int, stage: Stage) -> (ScanSystem, ClusterActorSystem) {
    let actorSystem = ClusterActorSystem(
      name: "a", slots: slots, timeout: .seconds(5),
      registry: ScanRegistry([ProbeScan(host: "a", stage: stage)]))
    let system = ScanSystem(
      slots: slots, actorSystem: actorSystem, clock: clock, logger: log.logger)
    return (system, actorSystem)
  }

  @Test("A system never runs more scans than slots, and starts the next scan when one ends")
  func slots() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    let (system, _) = system(slots: 3, stage: stage)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sector in 0..<12 {
        group.addTask { _ = try await system.run(.probe(sector)) }
      }
      try await until { try await system.count == 12 }
      for done in 0..<12 {
        try await gate.arrivals(atLeast: min(3 + done, 12))
        #expect(gate.waiting <= 3)
        let status = try #require(await system.servingStatus)
        #expect(status.running.count <= 3)
        gate.letThrough()
      }
      try await group.waitForAll()
    }
    #expect(gate.arrivals == 12)
    #expect(await system.servingStatus?.done.values.reduce(0, +) == 12)
  }

  @Test("Scans that block their threads block neither each other nor the actors")
  func blocking() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    // There are more slots than Swift's own pool has threads.
    let slots = 24
    let stage = Stage { _ in Self.block(on: semaphore) }
    let (system, _) = system(slots: slots, stage: stage)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sector in 0..<slots {
        group.addTask { _ = try await system.run(.probe(sector)) }
      }
      try await stage.started.wait { $0.count == slots }
      #expect(try await system.count == slots)
      for _ in 0..<slots { semaphore.signal() }
      try await group.waitForAll()
    }
  }

  /// Blocks the thread, as a scan in C would.
  private static func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test("A scan that ignores its cancellation is logged, and its slot is written off until it ends")
  func stubborn() async throws {
    let gate = Gate()
    // The scan waits in another task, which is not cancelled with the scan.
    let stage = Stage { _ in try await Task { try await gate.pass() }.value }
    let (system, _) = system(slots: 1, stage: stage)
    let run = Task { try await system.run(.probe(3)) }
    try await gate.arrivals(atLeast: 1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await system.count == 1)

    try await clock.sleepers(atLeast: 1)
    #expect(log.warnings.isEmpty)
    clock.advance(by: ScanSystem.cancellationGrace)
    try await log.warning("a scan ignores that it was cancelled")
    #expect(log.warnings.first?.contains("sector=3") == true)

    // With no slot left, a call is refused: it would wait for a scan that may never end.
    let refusal = await #expect(throws: CallFailure.self) { try await system.run(.probe(4)) }
    #expect(refusal?.fault == .draining)
    #expect(stage.started.value.map(\.sector) == [3])
    gate.open()
    try await until { try await system.count == 0 }
    _ = try await system.run(.probe(5))
    #expect(stage.started.value.map(\.sector) == [3, 5])
  }

  @Test("A scan that heeds its cancellation is not logged")
  func obedient() async throws {
    let gate = Gate()
    let (system, _) = system(slots: 1, stage: Stage { _ in try await gate.pass() })
    let run = Task { try await system.run(.probe(3)) }
    try await gate.arrivals(atLeast: 1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    try await until { try await system.count == 0 }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: ScanSystem.cancellationGrace)
    gate.open()
    _ = try await system.run(.probe(4))
    #expect(log.warnings.isEmpty)
  }

  @Test("A waiting call that is cancelled leaves the queue")
  func withdrawn() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    let (system, _) = system(slots: 1, stage: stage)
    async let first = system.run(.probe(0))
    try await gate.arrivals(atLeast: 1)
    let waiting = (1...5).map { sector in Task { try await system.run(.probe(sector)) } }
    try await until { try await system.count == 6 }
    for task in waiting[..<4] { task.cancel() }
    for task in waiting[..<4] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await system.count == 2)
    gate.open()
    _ = try await (first, waiting[4].value)
    #expect(stage.started.value.map(\.sector) == [0, 5])
  }

  @Test("The status lists running and waiting scans by client")
  func status() async throws {
    let gate = Gate()
    let (system, _) = system(slots: 1, stage: Stage { _ in try await gate.pass() })
    let (one, two) = (Incarnation(), Incarnation())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (sector, client, name) in [(0, one, "one"), (1, one, "one"), (2, two, "two")] {
        let context = CallContext(client: client, clientName: name)
        group.addTask {
          _ = try await CallContext.$current.withValue(context) {
            try await system.run(.probe(sector))
          }
        }
        try await until { try await system.count == sector + 1 }
      }
      clock.advance(by: .seconds(4))
      let status = try #require(await system.servingStatus)
      #expect(status.slots == 1)
      #expect(status.running.map(\.task.sector) == [0])
      #expect(status.running.first?.client == "one")
      #expect(status.running.first?.elapsed == .seconds(4))
      #expect(status.waiting == ["one": 1, "two": 1])
      gate.open()
      try await group.waitForAll()
    }
    #expect(await system.servingStatus?.done == ["one": 2, "two": 1])
  }
}
