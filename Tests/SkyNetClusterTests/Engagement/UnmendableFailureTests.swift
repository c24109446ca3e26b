import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Failures that nothing mends", .timeLimit(.minutes(20)))
struct UnmendableFailureTests {
  @Test("The sector is given up after one attempt, and the others complete", arguments: [0, 1])
  func oneAttempt(localSlots: Int) async throws {
    let stage = Stage { visit in
      if visit.sector == 3 { throw UnmendableFailure("column 7 is missing") }
    }
    try await TestCluster.with(local: localSlots, nodes: ["b": 1, "c": 1], stage: stage) {
      test, cluster in
      let outcome = try await test.engage(cluster, sectors: 6)
      #expect(outcome.completed.map(\.sector).sorted() == [0, 1, 2, 4, 5])
      #expect(outcome.tally.failed == 1 && outcome.tally.retried == 0)
      let failure = try #require(outcome.failed.first)
      #expect(failure.sector == 3 && failure.attempts == 1)
      #expect(failure.failures.map(\.reason) == ["column 7 is missing"])
      #expect(stage.started.value.count { $0.sector == 3 } == 1)
    }
  }

  @Test("A sector that the job says can never be made is given up at once")
  func neverMade() async throws {
    try await TestCluster.with(local: 1) { test, cluster in
      let failures = Watched<[SectorFailure]>([])
      let (_, tally) = try await cluster.coordinator().run(MissingInputJob()) { update in
        if let failure = update.event.failure { failures.update { $0.append(failure) } }
      }
      #expect(tally.failed == 2 && tally.retried == 0)
      #expect(failures.value.allSatisfy { $0.attempts == 1 })
      #expect(
        failures.value.map { $0.failures.map(\.reason) } == [["a.fit is gone"], ["a.fit is gone"]])
      #expect(test.stage.started.value.isEmpty)
    }
  }

  @Test("The last words of a scan come from another system as they are, and very long ones are cut")
  func lastWords() async throws {
    let words = String(repeating: "no\tstars: \u{1F52D}\n", count: 4096 / 15)
    let stage = Stage { visit in
      throw UnmendableFailure(visit.sector == 0 ? words : String(repeating: "x", count: 9999))
    }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 2)
      let reasons = outcome.failed.sorted { $0.sector < $1.sector }.map { $0.failures.last?.reason }
      #expect(reasons == [words, String(repeating: "x", count: 5000) + "…"])
    }
  }
}

@Suite("What a scan is told of its attempt", .timeLimit(.minutes(20)))
struct ScanAttemptTests {
  @Test("A scan is told its run, its task and the name of its system")
  func origin() async throws {
    let (stage, run) = (Stage(), RunID())
    try await TestCluster.with(local: 1, nodes: ["b": 1], stage: stage) { _, cluster in
      _ = try await cluster.coordinator().run(ProbeJob(sectors: 6), id: run)
      let attempts = stage.attempts.value
      let origins = attempts.values.joined().compactMap(\.origin)
      #expect(origins.map(\.task.sector).sorted() == Array(0..<6))
      #expect(origins.allSatisfy { $0.run == run && $0.task.pass == 0 })
      #expect(Set(attempts["b"]?.map(\.origin?.system) ?? []) == ["b"])
      #expect(Set(attempts["local"]?.map(\.origin?.system) ?? []) == ["engage"])
    }
  }

  @Test("A scan that is called by hand has no origin")
  func byHand() async throws {
    let stage = Stage()
    _ = try await ProbeScan(host: "a", stage: stage).run(1, settings: "probed")
    #expect(stage.attempts.value["a"] == [ScanAttempt(number: 1, isHedge: false, origin: nil)])
  }

  @Test("A scan that must not run twice is not hedged, however long it takes")
  func mayNotRunTwice() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      let job = ProbeJob(sectors: 5, mayRunTwice: false)
      let run = Task { try await cluster.coordinator().run(job) }
      try await gate.arrivals(atLeast: 1)
      try await stage.finished.wait { $0.count == 4 }
      // Two heartbeats sleep, one for each node. A scan that may run twice is hedged after a tenth of a second.
      for _ in 0..<5 {
        await test.clock.letOthersRun()
        try await test.clock.sleepers(atLeast: 2, within: .seconds(1))
        test.clock.advance(by: .seconds(1))
      }
      await test.network.settle()
      #expect(stage.started.value.count == 5)
      gate.open()
      let (ended, tally) = try await run.value
      #expect(ended.outputs == ended.expected && tally.completed == 5)
      #expect(stage.started.value.count == 5)
    }
  }
}

/// A job whose inputs are gone.
private struct MissingInputJob: Job {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount = 2

  func sector(for task: TaskID) throws -> Int { throw UnmendableFailure("a.fit is gone") }
  func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
