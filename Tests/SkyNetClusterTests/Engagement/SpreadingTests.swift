import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("The spread of a job over systems", .timeLimit(.minutes(20)))
struct SpreadingTests {
  @Test("The local system and two remote ones scan every sector once")
  func everySectorOnce() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 2, "c": 2]) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 200)
      outcome.expectComplete()
      #expect(test.stage.started.value.count == 200)
      #expect(Set(test.stage.started.value.map(\.client)) == ["engage"])
    }
  }

  @Test("An engagement uses all slots of all systems at a time, and no more")
  func allSlots() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 1, nodes: ["b": 2, "c": 3], stage: stage) { test, cluster in
      // The second engagement finds all slots free that the first one used.
      for round in 1...2 {
        async let outcome = test.engage(cluster, sectors: 60)
        for sector in 1...60 {
          try await gate.arrivals(atLeast: (round - 1) * 60 + min(sector + 5, 60))
          #expect(gate.waiting <= 6)
          gate.letThrough()
        }
        try await outcome.expectComplete()
      }
      let hosts = stage.started.value.prefix(6).map(\.host).sorted()
      #expect(hosts == ["b", "b", "c", "c", "c", "local"])
    }
  }

  @Test("A node that joins during an engagement scans sectors")
  func joiningLate() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 10)
      try await gate.arrivals(atLeast: 1)
      test.start("c", slots: 1)
      try await stage.finished.wait { $0.count == 9 }
      gate.open()
      let end = try await outcome
      end.expectComplete()
      #expect(end.share(of: "c") == 9)
      #expect(end.share(of: "b") == 1)
    }
  }

  @Test("An engagement begins with the first node that connects")
  func firstNodeLate() async throws {
    try await TestCluster.with { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await test.clock.sleepers(atLeast: 1, within: .seconds(10))
      test.start("b", slots: 1)
      try await outcome.expectComplete()
    }
  }

  @Test("A job of no sectors ends at once")
  func noSectors() async throws {
    try await TestCluster.with { test, cluster in
      try await test.engage(cluster, sectors: 0).expectComplete()
    }
  }

  @Test("The job makes a second pass from the outputs of the first")
  func twoPasses() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 2]) { test, cluster in
      let events = Watched<[EngagementEvent]>([])
      let (job, tally) = try await cluster.coordinator().run(TwoPassJob(sectorCount: 8)) {
        update in events.update { $0.append(update.event) }
      }
      // The bytes of sector n are 0...n, so the first pass finds 0 + 1 + 3 + 6 + …
      #expect(job.total == 84)
      #expect(job.second == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 84 * 1) }))
      #expect(events.value.compactMap(\.result).map(\.sector).sorted() == Array(0..<8))
      #expect(tally.completed == 8)
    }
  }

  @Test("Sectors that need a failed sector fail too, and are reported once")
  func waitingForAFailure() async throws {
    try await TestCluster.with(local: 2) { test, cluster in
      let events = Watched<[EngagementEvent]>([])
      let job = TwoPassJob(sectorCount: 4, missing: 2)
      let tally = try await cluster.coordinator().run(job) { update in
        events.update { $0.append(update.event) }
      }.tally
      let failures = events.value.compactMap(\.failure)
      #expect(failures.map(\.sector).sorted() == [0, 1, 2, 3])
      let reasons = failures.filter { $0.sector != 2 }.flatMap(\.failures).map(\.reason)
      #expect(
        reasons == Array(repeating: "it needs another sector, which was not scanned", count: 3))
      #expect(tally.completed == 0 && tally.failed == 4)
    }
  }

  @Test("A pass over no sectors adds no tasks")
  func emptyPass() async throws {
    let stage = Stage()
    try await TestCluster.with(local: 1, stage: stage) { _, cluster in
      let tally = try await cluster.coordinator().run(EmptyPassJob()).tally
      #expect(tally.completed == 2)
      #expect(stage.started.value.map(\.sector).sorted() == [0, 1])
    }
  }

  @Test("Two engagements share the slots of one node fairly")
  func sharing() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      async let first = test.engage(cluster, sectors: 4)
      try await gate.arrivals(atLeast: 2)
      try await test.engaging(as: "second") { other in
        async let second = test.engage(other, sectors: 4)
        let system = try test.node("b").node.system
        try await until { await system.servingStatus?.waiting["second"] == 2 }
        gate.letThrough()
        try await gate.arrivals(atLeast: 3)
        #expect(stage.started.value[2].client == "second")
        gate.open()
        try await second.expectComplete()
      }
      try await first.expectComplete()
    }
  }
}

/// A job that adds a pass over no sectors for each output.
private struct EmptyPassJob: Job {
  typealias Work = ProbeScan

  let settings = "empty"
  let sectorCount = 2

  func sector(for task: TaskID) -> Int { task.sector }

  func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output, added: [TaskRange(pass: 1, sectors: 5..<5)])
  }
}
