import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

/// A job that tells other systems where a sector's data are, for as long as they do not refuse that.
private struct ProbesByReference: ReferringJob {
  typealias Work = ProbeScan

  struct Refusal: Hashable, Sendable {
    let code: String
    let reason: String
    let system: String
  }

  let settings = "probed"
  let sectorCount: Int
  let refusals = Watched<[Refusal]>([])
  /// The systems that sectors were made for, and the data that they got.
  let made = Watched<[String]>([])
  /// Whether the job goes on telling where the data are after a refusal.
  var isStubborn = false
  private(set) var outputs: [Int: String] = [:]

  /// A number that stands for data that are elsewhere.
  static let elsewhere = 1000

  init(sectors: Int) {
    sectorCount = sectors
  }

  func sector(for task: TaskID) -> Int { task.sector }

  func sector(for task: TaskID, on recipient: SectorRecipient) -> Int {
    made.update { $0.append(recipient.isLocal ? "local" : recipient.name) }
    guard !recipient.isLocal, isStubborn || refusals.value.isEmpty else { return task.sector }
    return task.sector + Self.elsewhere
  }

  func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) {
    refusals.update {
      $0.append(Refusal(code: refusal.code, reason: refusal.reason, system: recipient.name))
    }
  }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    outputs[task.sector] = output
    return ReceivedResult(result: output)
  }
}

@Suite("Sectors whose data a system cannot get", .timeLimit(.minutes(20)))
struct RefusedDataTests {
  private static let refusing = Stage { visit in
    guard visit.sector >= ProbesByReference.elsewhere else { return }
    throw SectorDataRefused(code: "place", reason: "they are not here")
  }

  private func run(
    _ job: ProbesByReference, on cluster: Cluster, _ stage: Stage
  ) async throws -> (job: ProbesByReference, failures: Int) {
    let failures = Watched(0)
    let (ended, tally) = try await cluster.coordinator().run(job) { update in
      switch update.event {
      case .retried, .failed, .attemptEnded: failures.update { $0 += 1 }
      default: break
      }
    }
    #expect(tally.completed == job.sectorCount && tally.retried == 0 && tally.failed == 0)
    return (ended, failures.value)
  }

  @Test("A refused sector is made again for the same attempt, and nothing counts as retried")
  func refused() async throws {
    let stage = Self.refusing
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let (job, failures) = try await run(ProbesByReference(sectors: 20), on: cluster, stage)
      #expect(failures == 0)
      #expect((0..<20).allSatisfy { job.outputs[$0] == "probed \($0)" })
      let refusals = job.refusals.value
      #expect(
        Set(refusals) == [.init(code: "place", reason: "they are not here", system: "b")])
      // Those that were under way together are all refused, and no later one is.
      #expect((1...4).contains(refusals.count), "\(refusals.count)")
      let status = try #require(try await test.node("b").node.system.servingStatus)
      #expect(status.retried == 0 && status.done.values.reduce(0, +) == 20)
    }
  }

  @Test("After two refusals a system gets the data themselves, whatever the job would tell it")
  func stubborn() async throws {
    let stage = Self.refusing
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { _, cluster in
      var job = ProbesByReference(sectors: 5)
      job.isStubborn = true
      let (ended, failures) = try await run(job, on: cluster, stage)
      #expect(failures == 0)
      #expect((0..<5).allSatisfy { ended.outputs[$0] == "probed \($0)" })
      #expect(ended.refusals.value.count == 10)
    }
  }

  @Test("The job is told which system a sector is for, and whether it is this process's own")
  func recipients() async throws {
    let stage = Stage()
    try await TestCluster.with(local: 1, nodes: ["b": 1], stage: stage) { _, cluster in
      let (job, _) = try await run(ProbesByReference(sectors: 20), on: cluster, stage)
      #expect(job.refusals.value.isEmpty)
      #expect(Set(job.made.value).isSubset(of: ["local", "b"]))
      #expect(job.made.value.contains("local"))
      for (sector, output) in job.outputs {
        let elsewhere = "probed \(sector + ProbesByReference.elsewhere)"
        #expect(output == "probed \(sector)" || output == elsewhere)
      }
    }
  }

  @Test("A refusal of data that were not asked for in this way is a failure like any other")
  func withoutReference() async throws {
    let stage = Stage { _ in throw SectorDataRefused(code: "", reason: "no data at all") }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(
        cluster, sectors: 1, settings: EngagementSettings(attempts: 2))
      #expect(outcome.failed.first?.failures.map(\.reason) == ["no data at all", "no data at all"])
    }
  }
}
