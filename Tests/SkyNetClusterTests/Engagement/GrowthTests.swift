import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("An engagement of a growing job", .timeLimit(.minutes(20)))
struct GrowthTests {
  @Test(
    "Every sector of every part is scanned, and each part ends once, with its name in the results")
  func scansAll() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 2]) { test, cluster in
      let sizes = [3, 1, 4, 2, 1]
      let end = try await test.grow(cluster, GrowingJob(Parts(sizes)))
      #expect(end.completed.map(\.sector).sorted() == Array(0..<11))
      #expect(Set(end.completed.map(\.part)).count == 5)
      #expect(
        end.completed.allSatisfy {
          $0.part == "image \([0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 4][$0.sector])"
        })
      #expect(end.job.parts.ended.value.sorted() == [0, 1, 2, 3, 4])
      #expect(end.tally.total == 11)
      #expect(end.tally.completed == 11)
      #expect(end.grown == [0, 1, 2, 3, 4])
      #expect(end.partsEnded.sorted() == [0, 1, 2, 3, 4])
      #expect(end.failed.isEmpty)
    }
  }

  @Test("A part's second pass begins when its first has ended, while other parts are in progress")
  func passes() async throws {
    try await TestCluster.with(nodes: ["b": 2]) { test, cluster in
      let end = try await test.grow(cluster, GrowingJob(Parts([2, 3, 1]), twoPasses: true))
      #expect(end.completed.map(\.sector).sorted() == Array(0..<6))
      #expect(end.completed.allSatisfy { $0.pass == 1 })
      #expect(end.job.outputs.count == 12)
      #expect(end.job.parts.ended.value.sorted() == [0, 1, 2])
    }
  }

  @Test("A job may begin with sectors of no part, and grow afterwards")
  func beginsWithSectors() async throws {
    let parts = Parts { number in
      number == 0 ? JobPart(number: 0, sectors: 3..<5, name: "late") : nil
    }
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await test.grow(cluster, GrowingJob(parts, sectors: 3))
      #expect(end.completed.map(\.sector).sorted() == Array(0..<5))
      #expect(end.completed.filter { $0.part == nil }.map(\.sector).sorted() == [0, 1, 2])
    }
  }

  @Test("A job without any part ends at once")
  func empty() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await test.grow(cluster, GrowingJob(Parts([])))
      #expect(end.tally.total == 0)
      #expect(end.completed.isEmpty)
    }
  }

  @Test("A part that cannot be begun fails with its reason, and the others are scanned")
  func failingPart() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let job = GrowingJob(Parts([1, 2, 1]), fates: [1: .failed(reason: "not a FITS file")])
      let end = try await test.grow(cluster, job)
      #expect(end.completed.map(\.sector).sorted() == [0, 3])
      #expect(end.failed.map(\.sector) == [1, 2])
      #expect(end.failed.allSatisfy { $0.failures.map(\.reason) == ["not a FITS file"] })
      #expect(end.failed.allSatisfy { $0.part == "image 1" })
      #expect(end.job.parts.ended.value.sorted() == [0, 1, 2])
      #expect(end.tally.failed == 2)
    }
  }

  @Test("A part without tasks ends at once")
  func partWithoutTasks() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await test.grow(
        cluster, GrowingJob(Parts([1, 0, 1]), fates: [1: .tasks([])]))
      #expect(end.completed.map(\.sector).sorted() == [0, 1])
      #expect(end.job.parts.ended.value.sorted() == [0, 1, 2])
    }
  }

  @Test("If a sector is given up in the first pass, the part ends, and its other sectors fail too")
  func givenUp() async throws {
    let stage = Stage { visit in if visit.sector == 1 { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let end = try await test.grow(
        cluster, GrowingJob(Parts([3, 1]), twoPasses: true),
        settings: EngagementSettings(attempts: 2))
      #expect(end.completed.map(\.sector) == [3])
      #expect(end.failed.map(\.sector).sorted() == [0, 1, 2])
      let reasons = end.failed.sorted { $0.sector < $1.sector }.map {
        $0.failures.last?.reason ?? ""
      }
      #expect(reasons[1].contains("the probe broke"))
      #expect(reasons[0].contains("another sector") && reasons[2].contains("another sector"))
      #expect(end.job.parts.ended.value.sorted() == [0, 1])
      #expect(end.tally.failed == 3)
    }
  }

  @Test("A sector that the job cannot make is given up, and no system is blamed for it")
  func notMade() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      // Twenty failures in a row would open the circuit breaker of the only system long before.
      let missing = Set(0..<20)
      let end = try await test.grow(
        cluster, GrowingJob(Parts([20, 5]), missing: missing),
        settings: EngagementSettings(attempts: 3))
      #expect(end.completed.map(\.sector).sorted() == Array(20..<25))
      #expect(end.failed.map(\.sector).sorted() == Array(0..<20))
      #expect(end.failed.allSatisfy { $0.failures.last?.reason == "the file is gone" })
      #expect(!end.events.contains { $0.isPause }, "the system is in order")
    }
  }

  @Test("Two systems with several slots share one part of many sectors and many parts of one")
  func slots() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2, "c": 2], stage: stage) { test, cluster in
      async let ending = test.grow(
        cluster, GrowingJob(Parts([8] + Array(repeating: 1, count: 8))))
      try await gate.arrivals(atLeast: 4)
      gate.open()
      let end = try await ending
      #expect(end.completed.map(\.sector).sorted() == Array(0..<16))
      #expect(Set(end.completed.map(\.system)) == ["b", "c"])
      #expect(end.tally.inFlight.values.allSatisfy { $0 == 0 })
    }
  }
}

@Suite("The end of a growing job's engagement", .timeLimit(.minutes(20)))
struct GrowthEndTests {
  /// A part of one sector, and then one that never comes.
  private static func waiting() -> Parts {
    let gate = Gate()
    return Parts { number in
      guard number > 0 else { return JobPart(number: 0, sectors: 0..<1, name: "first") }
      try await gate.pass()
      return nil
    }
  }

  @Test("A shutdown while the job waits for its next part ends the engagement at once")
  func shutdown() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let (parts, shutdown) = (Self.waiting(), ShutdownTrigger())
      async let ending = test.grow(cluster, GrowingJob(parts), shutdown: shutdown)
      try await parts.ended.wait { $0 == [0] }
      try await parts.asked.wait { $0 == 2 }
      shutdown.shutDown()
      let end = try await ending
      #expect(end.completed.map(\.sector) == [0])
      #expect(end.tally.failed == 0)
      #expect(end.events.contains { $0.finishReason == "interrupted" })
    }
  }

  @Test("Cancelling while the job waits for its next part ends the engagement at once")
  func cancelling() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let parts = Self.waiting()
      let engagement = Task { try await test.grow(cluster, GrowingJob(parts)) }
      try await parts.ended.wait { $0 == [0] }
      try await parts.asked.wait { $0 == 2 }
      engagement.cancel()
      await #expect(throws: CancellationError.self) { try await engagement.value }
      // Every slot is free again.
      let end = try await test.grow(cluster, GrowingJob(Parts([2])))
      #expect(end.completed.count == 2)
    }
  }

  @Test("An error of the job when it makes a part ends the engagement, and cancels what runs")
  func throwing() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    let parts = Parts { number in
      guard number > 0 else { return JobPart(number: 0, sectors: 0..<1, name: "first") }
      try await gate.arrivals(atLeast: 1)
      throw ProbeFailure()
    }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      await #expect(throws: ProbeFailure.self) { try await test.grow(cluster, GrowingJob(parts)) }
      try await stage.cancelled.wait { $0.count == 1 }
      gate.open()
      #expect(try await test.grow(cluster, GrowingJob(Parts([2]))).completed.count == 2)
    }
  }

  @Test("Scans that run at a shutdown finish, and no further part is taken")
  func running() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    let partGate = Gate()
    let parts = Parts { number in
      guard number > 0 else { return JobPart(number: 0, sectors: 0..<2, name: "first") }
      try? await partGate.pass()
      return JobPart(number: number, sectors: 2 * number..<2 * number + 2, name: "late")
    }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      let shutdown = ShutdownTrigger()
      async let ending = test.grow(cluster, GrowingJob(parts), shutdown: shutdown)
      try await gate.arrivals(atLeast: 2)
      shutdown.shutDown()
      // Until the engagement has heard of it, which takes the engine some turns.
      for _ in 1...20 { await test.network.settle() }
      partGate.open()
      gate.open()
      let end = try await ending
      #expect(end.completed.map(\.sector).sorted() == [0, 1])
      #expect(end.grown == [0])
      #expect(parts.ended.value == [0], "a part whose last scan finishes is done")
    }
  }
}

/// The outcome of a growing job's engagement.
struct GrownOutcome: Sendable {
  let job: GrowingJob
  let tally: Tally
  let events: [EngagementEvent]

  var completed: [SectorResult] { events.compactMap(\.result) }
  var failed: [SectorFailure] { events.compactMap(\.failure) }

  /// The numbers of the parts that were added, and of those that ended.
  var grown: [Int] {
    events.compactMap { if case .grew(let part, _) = $0 { part.number } else { nil } }
  }
  var partsEnded: [Int] {
    events.compactMap { if case .partEnded(let part) = $0 { part.number } else { nil } }
  }

  var restored: [SectorResult] {
    events.compactMap { if case .restored(let result) = $0 { result } else { nil } }
  }
  var restoredFailures: [SectorFailure] {
    events.compactMap { if case .restoredFailure(let failure) = $0 { failure } else { nil } }
  }
}

extension TestCluster {
  /// Runs a growing job to its end.
  func grow(
    _ cluster: Cluster, _ job: GrowingJob, settings: EngagementSettings = EngagementSettings(),
    shutdown: ShutdownTrigger = ShutdownTrigger(), journal: (any JournalStore)? = nil
  ) async throws -> GrownOutcome {
    let events = Watched<[EngagementEvent]>([])
    let (job, tally) = try await cluster.coordinator(settings).run(
      job, journal: journal.map { Journal($0) }, shutdown: shutdown
    ) { update in
      events.update { $0.append(update.event) }
    }
    return GrownOutcome(job: job, tally: tally, events: events.value)
  }
}

extension EngagementEvent {
  fileprivate var isPause: Bool { if case .paused = self { true } else { false } }

  fileprivate var finishReason: String? {
    if case .finished(let reason) = self { reason } else { nil }
  }
}
