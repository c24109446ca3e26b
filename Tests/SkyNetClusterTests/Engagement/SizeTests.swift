import Foundation
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// What is too large for a message, and which numbers are carried. This program's own system and a peer are alike.
@Suite("Sizes and numbers", .timeLimit(.minutes(20)))
struct SizeTests {
  private static let alike = [["local"], ["b"]]
  /// More than 16 MiB of JSON.
  private static let many = Array(repeating: 0.123_456_789_012_345, count: 1_000_000)

  @Test("What takes more than 16 MiB of JSON is given up at its first attempt", arguments: alike)
  func tooLarge(on systems: [String]) async throws {
    try await engage(on: systems) { cluster in
      let small = NumbersScan.Sector(numbers: [1])
      let output = NumbersScan.Sector(numbers: [0.123_456_789_012_345], times: 1_000_000)
      let input = NumbersScan.Sector(numbers: Self.many)
      let run = try await run(NumbersJob([small, output, small, input, small]), cluster)
      #expect(run.job.outputs == [0: [1, 0], 2: [1, 0], 4: [1, 0]])
      #expect(run.failures.map(\.sector).sorted() == [1, 3])
      for failure in run.failures {
        #expect(failure.attempts == 1)
        #expect(failure.failures.map(\.code) == [.tooLarge])
        let reason = failure.failures.first?.reason ?? ""
        #expect(
          reason.hasPrefix(failure.sector == 1 ? "the output: " : "the sector"), "\(reason)")
        #expect(
          reason.contains("of which at most 16777216 can be sent: put numbers into BulkBytes"))
      }
      #expect(run.disconnections == 0)
    }
  }

  @Test("Settings of more than 16 MiB of JSON fail each sector at once", arguments: alike)
  func tooLargeSettings(on systems: [String]) async throws {
    try await engage(on: systems) { cluster in
      let settings = NumbersScan.Settings(numbers: Self.many)
      let run = try await run(NumbersJob(settings: settings, [.init(), .init()]), cluster)
      #expect(run.failures.count == 2)
      #expect(run.failures.flatMap { $0.failures.map(\.code) } == [.tooLarge, .tooLarge])
      #expect(run.failures.allSatisfy { $0.failures[0].reason.hasPrefix("the settings: ") })
      #expect(run.disconnections == 0)
    }
  }

  @Test(
    "Numbers that are infinite, or none, are carried in settings, sectors and outputs",
    arguments: alike)
  func numbers(on systems: [String]) async throws {
    try await engage(on: systems) { cluster in
      let odd = NumbersScan.Sector(numbers: [.infinity, -.infinity, .nan, 1])
      let settings = NumbersScan.Settings(numbers: [-.infinity])
      let run = try await run(NumbersJob(settings: settings, [odd]), cluster)
      let output = try #require(run.job.outputs[0])
      #expect(output[0] == .infinity && output[1] == -.infinity && output[2].isNaN)
      #expect(output[3] == 1 && output[4] == -.infinity)
    }
  }

  private func engage(
    on systems: [String], _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    if systems == ["local"] {
      try await TestCluster.with(local: 2) { _, cluster in try await body(cluster) }
    } else {
      try await TestCluster.with(nodes: ["b": 2]) { _, cluster in try await body(cluster) }
    }
  }
}

/// Settings that travel apart from the tasks.
@Suite("Large settings", .timeLimit(.minutes(20)))
struct LargeSettingsTests {
  @Test(
    "Large settings, and those with bulk bytes, go to a system once for a run",
    arguments: [0, 1000])
  func once(bulk: Int) async throws {
    try await TestCluster.with(nodes: ["b": 2, "c": 3]) { _, cluster in
      let settings = NumbersScan.Settings(
        name: "once \(bulk)", numbers: bulk > 0 ? [1] : Array(repeating: 1, count: 5000),
        bulk: Data(count: bulk))
      let run = try await run(
        NumbersJob(settings: settings, Array(repeating: .init(), count: 40)), cluster)
      #expect(run.job.outputs.count == 40)
      #expect(run.job.outputs.values.allSatisfy { $0 == [bulk > 0 ? 1001 : 5000] })
      #expect(NumbersScan.read.value[settings.name] == 2)
    }
  }

  @Test("They go again over a new connection")
  func reconnected() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let settings = NumbersScan.Settings(
        name: "reconnected", numbers: Array(repeating: 1, count: 5000))
      let job = NumbersJob(settings: settings, Array(repeating: .init(), count: 2))
      _ = try await run(job, cluster)
      test.network.breakConnections(of: "b")
      try await until { await cluster.systems.connected.isEmpty }
      try await test.clock.advance(by: .seconds(1), sleepers: 1) {
        try await cluster.coordinator().waitForSystems(1)
      }
      let again = try await run(job, cluster)
      #expect(again.job.outputs.count == 2)
      #expect(NumbersScan.read.value[settings.name] == 2)
    }
  }

  @Test("Of more settings than a peer keeps, those without users give way")
  func manyRuns() async throws {
    try await TestCluster.with(nodes: ["b": 2]) { _, cluster in
      for number in 0..<20 {
        let settings = NumbersScan.Settings(
          name: "many \(number)", numbers: Array(repeating: Double(number), count: 2500))
        let run = try await run(
          NumbersJob(settings: settings, [.init(), .init(), .init()]), cluster)
        #expect(run.job.outputs.values.allSatisfy { $0 == [Double(number) * 2500] })
        #expect(run.job.outputs.count == 3 && run.disconnections == 0)
        #expect(NumbersScan.read.value[settings.name] == 1)
      }
    }
  }

  @Test(
    "What is not settings to keep is refused",
    arguments: [
      "", "[]", "{}", #"{"id":0,"kind":"numbers/1","dropped":[],"settings":{}}"#,
      #"{"id":1,"kind":"numbers/2","dropped":[],"settings":{"name":"","numbers":[],"bulk":""}}"#,
      #"{"id":1,"kind":"numbers/1","dropped":["x"],"settings":{"name":"","numbers":[],"bulk":""}}"#,
      #"{"id":1,"kind":"numbers/1","dropped":[],"settings":7}"#,
      #"{"id":1,"kind":"numbers/1","dropped":[]}"#,
    ])
  func hostile(text: String) {
    let coder = BodyCoder(registry: ScanRegistry([NumbersScan()]))
    let message = Message(.call, target: CallTargets.keep, call: 1, body: Data(text.utf8))
    #expect(throws: (any Error).self) { try SettingsToKeep(from: message, by: coder) }
  }

  @Test("A task that refers to settings which are not kept fails its call, and not the connection")
  func notKept() throws {
    let coder = BodyCoder(registry: ScanRegistry([NumbersScan()]))
    let text =
      #"{"pass":0,"number":0,"run":"00000000000000AB","kind":"numbers/1","attempt":1,"sector":{"numbers":[],"times":1},"kept":7}"#
    #expect(throws: DecodingError.self) {
      try ScanTask(from: Message(.call, body: Data(text.utf8)), by: coder, with: KeptSettings())
    }
  }

  @Test("A peer that has more kept than it may is sent away")
  func limits() throws {
    let kept = KeptSettings()
    let coder = BodyCoder(registry: ScanRegistry([NumbersScan()]))
    func order(_ dropped: [Int] = []) throws -> SettingsToKeep {
      try SettingsToKeep(
        from: CodedSettings(NumbersScan.Settings(), of: NumbersScan.kind).message(
          dropping: dropped), by: coder)
    }
    let orders = try (0..<8).map { _ in try order() }
    for order in orders { try kept.keep(order) }
    #expect(kept[orders[0].id] != nil)
    let more = try order()
    #expect(throws: WireError.self) { try kept.keep(more) }
    try kept.keep(try order([orders[0].id]))
    #expect(kept[orders[0].id] == nil && kept[orders[1].id] != nil)
  }
}

/// How a job of numbers ended.
struct NumbersRun: Sendable {
  let job: NumbersJob
  let failures: [SectorFailure]
  let disconnections: Int
}

private func run(_ job: NumbersJob, _ cluster: Cluster) async throws -> NumbersRun {
  let events = Watched<[EngagementEvent]>([])
  let (job, _) = try await cluster.coordinator().run(job) { update in
    events.update { $0.append(update.event) }
  }
  return NumbersRun(
    job: job, failures: events.value.compactMap(\.failure),
    disconnections: events.value.compactMap(\.disconnected).count)
}
