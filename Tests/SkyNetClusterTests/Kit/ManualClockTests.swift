import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("The manual clock", .timeLimit(.minutes(20)))
struct ManualClockTests {
  private let clock = ManualClock()

  private func sleeper(_ seconds: Int) -> Task<Void, any Error> {
    let deadline = Instant(sinceOrigin: .seconds(seconds))
    return Task { [clock] in try await clock.sleep(until: deadline, tolerance: nil) }
  }

  @Test("Advancing the clock wakes the tasks whose deadline has come")
  func waking() async throws {
    let (early, late) = (sleeper(1), sleeper(3))
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(2))
    try await early.value
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await late.value
    #expect(clock.now == Instant(sinceOrigin: .seconds(3)))
  }

  @Test("Sleeping until a deadline in the past returns at once")
  func past() async throws {
    clock.advance(by: .seconds(2))
    try await sleeper(2).value
  }

  @Test("A cancelled sleeper wakes at once")
  func cancelling() async throws {
    let (one, other) = (sleeper(1), sleeper(1))
    try await clock.sleepers(atLeast: 2)
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await other.value
  }

  @Test("Sleepers are counted by the time when they would wake")
  func counting() async throws {
    let sleepers = [sleeper(1), sleeper(5), sleeper(60)]
    try await clock.sleepers(atLeast: 2, within: .seconds(5))
    try await clock.sleepers(atLeast: 3)
    let waiting = Task { [clock] in try await clock.sleepers(atLeast: 3, within: .seconds(59)) }
    clock.advance(by: .seconds(1))
    try await sleepers[0].value
    let fourth = sleeper(2)
    try await waiting.value
    for sleeper in sleepers + [fourth] { sleeper.cancel() }
  }
}

@Suite("The gate", .timeLimit(.minutes(20)))
struct GateTests {
  private let gate = Gate()

  @Test("A gate lets through waiting callers first, and then the next ones to come")
  func letThrough() async throws {
    let passed = Watched(0)
    for _ in 0..<3 {
      Task { [gate] in
        try await gate.pass()
        passed.update { $0 += 1 }
      }
    }
    try await gate.arrivals(atLeast: 3)
    gate.letThrough(2)
    try await passed.wait { $0 == 2 }
    #expect(gate.waiting == 1)
    gate.letThrough(2)
    try await passed.wait { $0 == 3 }
    try await gate.pass()
    #expect(gate.arrivals == 4)
  }

  @Test("An open gate lets all callers through")
  func open() async throws {
    let task = Task { [gate] in try await gate.pass() }
    try await gate.arrivals(atLeast: 1)
    gate.open()
    try await task.value
    try await gate.pass()
  }

  @Test("A cancelled caller no longer waits, and uses no permit")
  func cancelling() async throws {
    let task = Task { [gate] in try await gate.pass() }
    try await gate.arrivals(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gate.waiting == 0)
    gate.letThrough()
    try await gate.pass()
  }
}
