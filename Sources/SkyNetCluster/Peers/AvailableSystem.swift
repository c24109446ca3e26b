public import SkyNetCore
import Synchronization

extension Systems {
  /// The first system with a free slot for this scan. While none has one, the call waits for a slot to become free, or
  /// for a system to connect, for as long as that takes.
  ///
  /// This program's own system comes first, so it is the first to be full, and then the peer with the largest share of
  /// its slots free. The slot is the caller's until the returned system has run a scan, or is released unused.
  ///
  /// ```swift
  /// let system = try await cluster.systems.firstAvailableSystem(for: Primes.self)
  /// let count = try await system.run(200_000, settings: 1_000_000)
  /// ```
  ///
  /// - Parameters:
  ///   - scan: one of the scans that the cluster was joined with. Systems that do not know it are passed over.
  ///   - failed: where the sector was tried last, if it is to be tried again. Such a call goes before those for new
  ///     sectors, and takes another system than those that the sector was tried on, if another one knows the scan.
  /// - Throws: ``EngagementError/unknownScan(_:joinedWith:)``; `CancellationError`.
  public func firstAvailableSystem<Work: Scan>(
    for scan: Work.Type, after failed: AvailableSystem<Work>? = nil
  ) async throws -> AvailableSystem<Work> {
    try Task.checkCancellation()
    _ = try actorSystem.registry.scan(of: Work.self)
    let tried = failed.map { $0.tried + [$0.slot.system] } ?? []
    let commitments = try await commit(
      upTo: 1, for: Work.kind, avoiding: tried, priority: failed == nil ? .normal : .urgent)
    return AvailableSystem(commitments[0], of: self, run: failed?.run ?? RunID(), tried: tried)
  }
}

/// A system with a slot that is free for one scan: this program's own, or a peer's. Its caller does not see which.
///
/// ``Systems/firstAvailableSystem(for:after:)`` commits the slot. It is freed once: when the scan of
/// ``run(_:settings:)`` has ended, or else when the last reference to this object is gone.
public final class AvailableSystem<Work: Scan>: Sendable {
  /// The system's name; `local` for this program's own.
  public var name: String { slot.name }

  let slot: Slot
  /// The attempts at one sector have one run's id: a scan that outlives its connection is found again by it.
  let run: RunID
  /// The systems on which the sector failed before.
  let tried: [Incarnation]
  private let systems: Systems
  private let system: ScanSystem
  private let isUsed = Atomic(false)

  init(_ commitment: Systems.Commitment, of systems: Systems, run: RunID, tried: [Incarnation]) {
    slot = commitment.slot
    system = commitment.system
    self.systems = systems
    self.run = run
    self.tried = tried
  }

  deinit {
    guard beginUse() else { return }
    // No release came before this one, so it is legal.
    systems.tell { [slot] in _ = try? $0.release(slot) }
  }

  /// Has the system's actor, a `ScanSystem`, scan a sector, and then frees the slot. The method is called once.
  ///
  /// Cancelling the caller's task cancels the scan. The time that a scan may take (`Scan.timeLimit(_:settings:)`) is
  /// the caller's to watch.
  ///
  /// - Returns: what the scan has found.
  /// - Throws: `FailedAttempt`, alike for this program's own system and a peer: its code says whether the scan threw,
  ///   the system was lost, or the sector was handed back, and whether another attempt may succeed. Also if the slot was
  ///   used before. `CancellationError` if the caller's task was cancelled.
  public func run(_ sector: Work.Sector, settings: Work.Settings) async throws -> Work.Output {
    guard beginUse() else {
      throw FailedAttempt(
        system: name,
        reason: "the slot on \(name) was used: ask for the first available system again")
    }
    let task = ScanTask(
      TaskID(sector: 0), of: run, for: Work.self, settings: settings, sector: sector,
      attempt: ScanAttempt(number: tried.count + 1))
    let begin = systems.clock.now
    let answer: (result: ScanResult, output: Work.Output)
    do {
      answer = try await self.answer(to: task)
    } catch {
      let outcome = try await systems.release(slot, failedWith: error)
      if Task.isCancelled { throw CancellationError() }
      throw outcome.failure(on: name) ?? error
    }
    try await systems.release(slot, after: answer.result, on: system, since: begin)
    return answer.output
  }

  private func answer(to task: ScanTask) async throws -> (ScanResult, Work.Output) {
    let result = try await system.run(task)
    guard let output = result.output as? Work.Output else {
      throw ImpossibleOutput("it is of another kind of scan than \(Work.kind)")
    }
    return (result, output)
  }

  /// Returns whether the slot was not used before.
  private func beginUse() -> Bool { !isUsed.exchange(true, ordering: .relaxed) }
}

extension AvailableSystem where Work.Settings == NoSettings {
  /// The same for a scan without settings.
  public func run(_ sector: Work.Sector) async throws -> Work.Output {
    try await run(sector, settings: NoSettings())
  }
}
