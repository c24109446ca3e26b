import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

/// The outcome of an engagement in a test.
struct Outcome: Sendable {
  let job: ProbeJob
  let tally: Tally
  let completed: [SectorResult]
  let failed: [SectorFailure]

  /// Expects that each sector has one output, one result, and no failure.
  func expectComplete(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(job.outputs == job.expected, sourceLocation: sourceLocation)
    #expect(failed.isEmpty, sourceLocation: sourceLocation)
    #expect(
      completed.map(\.sector).sorted() == Array(0..<job.sectorCount),
      sourceLocation: sourceLocation)
    #expect(tally.completed == job.sectorCount, sourceLocation: sourceLocation)
    #expect(tally.failed == 0, sourceLocation: sourceLocation)
    #expect(tally.inFlight.values.allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)
  }

  func result(of sector: Int) -> SectorResult? { completed.first { $0.sector == sector } }

  func share(of system: String) -> Int { completed.count { $0.system == system } }
}

extension Cluster {
  /// Runs a job of this many sectors to its end.
  func outcome(
    ofSectors sectors: Int, settings: EngagementSettings = EngagementSettings(),
    shutdown: ShutdownTrigger = ShutdownTrigger(), journal: (any JournalStore)? = nil,
    report: @escaping @Sendable (EngagementEvent) -> Void = { _ in }
  ) async throws -> Outcome {
    let events = Watched<[EngagementEvent]>([])
    let (job, tally) = try await coordinator(settings).run(
      ProbeJob(sectors: sectors), journal: journal.map { Journal($0) }, shutdown: shutdown
    ) { update in
      events.update { $0.append(update.event) }
      report(update.event)
    }
    return Outcome(
      job: job, tally: tally, completed: events.value.compactMap(\.result),
      failed: events.value.compactMap(\.failure))
  }
}

extension TestCluster {
  /// Runs a job of this many sectors to its end.
  func engage(
    _ cluster: Cluster, sectors: Int, settings: EngagementSettings = EngagementSettings(),
    shutdown: ShutdownTrigger = ShutdownTrigger(), journal: (any JournalStore)? = nil
  ) async throws -> Outcome {
    try await cluster.outcome(
      ofSectors: sectors, settings: settings, shutdown: shutdown, journal: journal
    ) { [reports] event in reports.update { $0.append(event) } }
  }

  /// Waits until an engagement has reported that a system is gone.
  func disconnection(of name: String) async throws {
    try await reports.wait { $0.contains { $0.disconnected == name } }
  }
}

extension EngagementEvent {
  var result: SectorResult? {
    if case .completed(let result) = self { result } else { nil }
  }

  var failure: SectorFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  var disconnected: String? {
    if case .disconnected(let system, _) = self { system.name } else { nil }
  }
}
