import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// What a program reads of a failure besides its text.
@Suite("Failures with types", .timeLimit(.minutes(20)))
struct TypedFailureTests {
  @Test("What the first available system throws has a code, here and at a peer", arguments: [0, 1])
  func codes(local: Int) async throws {
    let stage = Stage { visit in
      switch visit.sector {
      case 1: throw ProbeFailure()
      case 2: throw UnmendableFailure("column 7 is missing")
      case 3: throw SystemUnsuited("has no /data")
      case 4: throw CancellationError()
      // The last one: the system gets nothing more for a while.
      default: throw SystemFull("no memory")
      }
    }
    try await TestCluster.with(local: local, nodes: local == 0 ? ["b": 1] : [:], stage: stage) {
      _, cluster in
      var codes: [FailedAttempt.Code] = []
      for sector in 1...5 {
        do {
          _ = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self).run(
            sector, settings: "probed")
        } catch let failure as FailedAttempt {
          codes.append(failure.code)
          #expect(failure.system == (local == 0 ? "b" : "local"))
          #expect(failure.code.isFinal == (sector == 2))
          if sector == 2 { #expect(failure.reason == "column 7 is missing") }
        }
      }
      #expect(codes == [.failed, .unmendable, .unsuited, .cancelled, .full])
    }
  }

  @Test("A lost system has a code, and so has a cancelled caller")
  func lostAndCancelled() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      let systems = [
        try await cluster.systems.firstAvailableSystem(for: ProbeScan.self),
        try await cluster.systems.firstAvailableSystem(for: ProbeScan.self),
      ]
      let (lost, cancelled) = (
        Task { try await systems[0].run(1, settings: "probed") },
        Task { try await systems[1].run(2, settings: "probed") }
      )
      try await stage.started.wait { $0.count == 2 }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      try test.node("b").crash()
      let failure = await #expect(throws: FailedAttempt.self) { try await lost.value }
      #expect(failure?.code == .lost && failure?.system == "b")
    }
  }

  @Test("A job says which failures are worth another try")
  func worthRetrying() async throws {
    let stage = Stage { visit in
      if visit.sector == 1 { throw NoFile() }
      if visit.sector == 2 { throw ProbeFailure() }
    }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { _, cluster in
      let failures = Watched<[SectorFailure]>([])
      let (_, tally) = try await cluster.coordinator().run(ChoosyJob()) { update in
        if let failure = update.event.failure { failures.update { $0.append(failure) } }
      }
      #expect(tally.completed == 2 && tally.failed == 2)
      let attempts = Dictionary(
        uniqueKeysWithValues: failures.value.map { ($0.sector, $0.attempts) })
      #expect(attempts == [1: 1, 2: 5])
      let first = failures.value.first { $0.sector == 1 }?.failures
      #expect(
        first == [FailedAttempt(system: "b", code: .unmendable, reason: "there is no such file")])
    }
  }

  @Test("A run that is cancelled gives back what its job has received")
  func abandoned() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.sector > 3 { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { _, cluster in
      let left = Watched<[(job: ProbeJob, tally: Tally)]>([])
      let running = Task {
        try await cluster.coordinator().run(
          ProbeJob(sectors: 6), abandoned: { job, tally in left.update { $0.append((job, tally)) } }
        )
      }
      try await stage.started.wait { $0.contains { $0.sector == 4 } }
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
      let (job, tally) = try #require(left.value.first)
      #expect(left.value.count == 1)
      #expect(job.outputs.keys.sorted() == [0, 1, 2, 3])
      #expect(tally.completed == 4 && tally.total == 6)
    }
  }

  private struct NoFile: Error, CustomStringConvertible {
    var description: String { "there is no such file" }
  }

  private struct ChoosyJob: Job {
    typealias Work = ProbeScan

    let settings = "probed"
    let sectorCount = 4

    func sector(for task: TaskID) -> Int { task.sector }

    func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool {
      failure.reason != "there is no such file"
    }

    func receive(_ output: String, for task: TaskID) -> ReceivedResult {
      ReceivedResult(result: output)
    }
  }
}
