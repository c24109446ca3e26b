import SkyNetTestKit
import Testing

@testable import SkyNetCluster
@testable import SkyNetCore

@Suite("An attempt that is cancelled", .timeLimit(.minutes(20)))
struct CancelledAttemptTests {
  @Test("It does not go on if its child had not begun yet, and its slot is free again")
  func beforeItsChild() async throws {
    let stage = Stage()
    let probe = ProbeScan(host: "local", stage: stage)
    let actorSystem = ClusterActorSystem(
      name: "engage", slots: 0, timeout: .seconds(5), registry: ScanRegistry([probe]))
    let local = ScanSystem(slots: 1, actorSystem: actorSystem, clock: ManualClock())
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: 1, clock: ManualClock())
    let id = RunID()
    let run = EngagementRun(
      ErasedJob(job: ProbeJob(sectors: 1, isLight: true), run: id, scan: OwnScan(probe)), id: id,
      settings: EngagementSettings(), systems: systems, actorSystem: actorSystem,
      clock: ManualClock(), journal: nil
    ) { _ in }
    let commitment = try await systems.commitment(for: ProbeScan.kind)
    #expect(try await run.endOfAttempt(cancelledAtOnceOn: commitment) == .cancelled)
    #expect(stage.started.value.isEmpty)
    _ = try await systems.commitment(for: ProbeScan.kind)
  }
}

extension EngagementRun {
  /// Hands an attempt out, and cancels it before the first step of its child.
  fileprivate func endOfAttempt(
    cancelledAtOnceOn commitment: Systems.Commitment
  ) async throws -> AttemptOutcome? {
    let attempt = Attempt(
      id: 0, task: TaskID(sector: 0), slot: commitment.slot, ordinal: 1, isHedge: false,
      failuresBefore: 0)
    // As `engage` does it.
    return try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: Event.self) { group in
        granted[commitment.slot] = commitment.system
        try await begin(attempt, in: &group)
        #expect(attempts[attempt.id]?.child == nil)
        attempts.removeValue(forKey: attempt.id)?.cancel()
        guard case .attemptEnded(_, let end) = try await group.next() else { return nil }
        return end.outcome
      }
    }
  }
}
