import SkyNetCore

@testable import SkyNetCluster

/// Slots for a test that has no engagement to request them.
extension Systems {
  /// Commits a slot on the first system that has one for scans of this kind.
  ///
  /// Waits while no system has one. A slot of a system in `avoiding` is taken only if no other system has one.
  ///
  /// - Throws: `CancellationError`.
  func firstAvailableSystem(
    for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> Commitment {
    let commitments = try await availableSystems(
      upTo: 1, for: kind, avoiding: avoiding, priority: priority)
    return commitments[0]
  }

  /// Commits as many slots as are free, at least one and at most `count`. Waits while none is free.
  func availableSystems(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    switch request(upTo: count, for: kind, avoiding: avoiding, priority: priority) {
    case .granted(let commitments): commitments
    case .waits(let request): try await slots(for: request)
    }
  }
}
