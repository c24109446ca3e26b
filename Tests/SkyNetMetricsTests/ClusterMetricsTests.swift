import CoreMetrics
import SkyNetCore
import SkyNetTestKit
import Synchronization
import Testing

@testable import SkyNetCluster
@testable import SkyNetMetrics

/// What a node and an engagement count, on a network in memory.
@Suite("The metrics of a cluster", .timeLimit(.minutes(20)))
struct ClusterMetricsTests {
  /// How long a busy machine may take.
  private static let patience = Duration.seconds(300)

  /// Fails a sector's first scan if the sector's number is even.
  private struct Halves: Scan {
    static let kind = ScanKind(name: "halves", version: 1)

    func run(_ sector: Int, settings: NoSettings) async throws -> Int { sector }

    func run(_ sector: Int, settings: NoSettings, on attempt: ScanAttempt) async throws -> Int {
      if sector.isMultiple(of: 2), attempt.number == 1 { throw Odd() }
      return sector
    }

    struct Odd: Error {}
  }

  private struct HalvesJob: Job {
    typealias Work = Halves
    let settings = NoSettings()
    let sectorCount: Int

    func sector(for task: TaskID) -> Int { task.sector }
    mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
      ReceivedResult(result: output)
    }
  }

  /// The value of a line, which is given without it.
  private func value(_ line: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(line + " ") }
      .map { String($0.dropFirst(line.count + 1)) }
  }

  @Test("Scans and attempts are counted by how they ended, on both sides")
  func counts() async throws {
    let (there, here) = (PrometheusRegistry(), PrometheusRegistry())
    let (network, discovery) = (InMemoryNetwork(), ManualDiscovery())
    let node = withMetricsFactory(there) {
      Node(
        NodeSettings(
          name: "b", slots: 3, endpoint: Endpoint(host: "b", port: 7000), timeout: Self.patience),
        scans: [Halves()], transport: network.transport(host: "b")
      ) { name, endpoint in
        discovery.found(name, at: endpoint)
      }
    }
    there.collect {
      guard let status = await node.system.servingStatus else { return [] }
      return ClusterFigures.node(
        status, condition: await node.condition, clients: await node.clientCount)
    }
    let running = Task { try await node.run() }
    defer { running.cancel() }
    try await withMetricsFactory(here) {
      try await Cluster.with(
        ClusterSettings(name: "ada", localSlots: 0, timeout: Self.patience), scans: [Halves()],
        discoveries: [discovery],
        transport: network.transport(host: "ada")
      ) { cluster in
        here.collect {
          ClusterFigures.engagements(
            await cluster.engagementSummaries, loads: await cluster.systems.loads,
            peers: await cluster.connectedSystems.count)
        }
        try await cluster.coordinator().waitForSystems(1, timeout: Self.patience)
        let during = Mutex("")
        _ = try await cluster.coordinator().run(HalvesJob(sectorCount: 10)) { update in
          guard case .finished = update.event else { return }
          let text = await here.text()
          during.withLock { $0 = text }
        }
        let text = during.withLock { $0 }
        #expect(value(#"skynet_sectors{state="completed"}"#, in: text) == "10")
        #expect(value(#"skynet_sectors{state="left"}"#, in: text) == "0")
        #expect(value("skynet_left_seconds", in: text) == "0")
        #expect(value("skynet_systems_connected", in: text) == "1")
        #expect(value(#"skynet_system_slots{system="b"}"#, in: text) == "3")
        #expect(value(#"skynet_attempts_in_flight{system="b"}"#, in: text) == "0")
        #expect(value("skynet_clients_connected", in: await there.text()) == "1")
      }
    }
    let (client, server) = (await here.text(), await there.text())
    let attempts = #"skynet_attempts_total{kind="halves/1",state="#
    #expect(value(attempts + #""done"}"#, in: client) == "10")
    #expect(value(attempts + #""retried"}"#, in: client) == "5")
    #expect(value(attempts + #""failed"}"#, in: client) == "0", "no task was given up")
    #expect(value(attempts + #""lost"}"#, in: client) == "0")
    #expect(value(#"skynet_retries_total{kind="halves/1"}"#, in: client) == "5")
    #expect(value(#"skynet_tasks_total{system="b"}"#, in: client) == "10")
    let scans = #"skynet_scans_total{kind="halves/1",state="#
    #expect(value(scans + #""done"}"#, in: server) == "10")
    #expect(value(scans + #""retried"}"#, in: server) == "5")
    #expect(value(scans + #""cancelled"}"#, in: server) == "0")
    #expect(value(#"skynet_scan_duration_seconds_count{kind="halves/1"}"#, in: server) == "15")
    #expect(value("skynet_slots", in: server) == "3")
    #expect(value("skynet_slots_busy", in: server) == "0")
    #expect(value("skynet_ready", in: server) == "1")
  }

  @Test("Beyond a hundred names, systems count as others together")
  func systemNamesAreBounded() {
    let loads = (0..<150).map { Systems.Load(name: "n\($0)", slots: 2, inFlight: 1) }
    let families = ClusterFigures.engagements([], loads: loads + loads, peers: 300)
    let slots = families.first { $0.name == "skynet_system_slots" }?.samples ?? []
    #expect(slots.count == 101)
    #expect(slots.last == .init([.init("system", "other")], 200))
    #expect(slots.first == .init([.init("system", "n0")], 4))
  }

  @Test("The parts of growing jobs are counted together, without a label for each")
  func parts() {
    func summary(_ parts: EngagementSummary.Parts?) -> EngagementSummary {
      EngagementSummary(
        run: RunID(), name: "sky", client: "ada", sectors: 9, completed: 3, failed: 0, rate: 1,
        secondsLeft: nil, pass: nil, parts: parts)
    }
    func samples(_ summaries: EngagementSummary...) -> [MetricFamily.Sample]? {
      ClusterFigures.parts(of: summaries, "skynet_images", help: "Images.").first?.samples
    }
    #expect(samples(summary(nil)) == nil)
    #expect(
      samples(
        summary(.init(total: 300, done: 40, failed: 1, noun: "images")), summary(nil),
        summary(.init(total: 10, done: 5, failed: 0, noun: "images")))
        == [
          .init([.init("state", "completed")], 45), .init([.init("state", "failed")], 1),
          .init([.init("state", "left")], 264),
        ])
  }

  @Test("The process tells its memory, processor time, start and descriptors")
  func process() {
    let values = Dictionary(
      uniqueKeysWithValues: ProcessFigures.families.map { ($0.name, $0.samples[0].value) })
    #expect(values["process_cpu_seconds_total"].map { $0 > 0 } ?? false)
    #if os(Linux)
      #expect(values["process_resident_memory_bytes"].map { $0 > 1e6 && $0 < 1e12 } ?? false)
      #expect(values["process_open_fds"].map { $0 >= 3 } ?? false)
      #expect(values["process_start_time_seconds"].map { $0 > 1.5e9 } ?? false)
    #endif
  }
}
