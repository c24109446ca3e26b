import SkyNetCore

@testable import SkyNetCluster

/// Slots for a test that has no engagement to request them.
extension Systems {
  /// Commits a slot on the first system that has one for scans of this kind.
  ///
  /// Waits while no system has one. A slot of a system in `avoiding` is taken only if no other system has one.
  ///
  /// - Throws: `CancellationError`.
  nonisolated func firstAvailableSystem(
    for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> Commitment {
    let commitments = try await availableSystems(
      upTo: 1, for: kind, avoiding: avoiding, priority: priority)
    return commitments[0]
  }

  /// Commits as many slots as are free, at least one and at most `count`. Waits while none is free.
  nonisolated func availableSystems(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    try await slots.request(upTo: count, for: kind, avoiding: avoiding, priority: priority).value()
  }

  /// Frees a slot. Has no effect if the slot's system is gone.
  ///
  /// - Parameter report: what the attempt on the slot says about its system.
  /// - Throws: `IllegalEvent` if the slot was freed before.
  nonisolated func release(
    _ slot: Slot, _ report: SlotReturn = .unused
  ) throws(IllegalEvent) {
    try slots.release(slot, report)
  }
}
