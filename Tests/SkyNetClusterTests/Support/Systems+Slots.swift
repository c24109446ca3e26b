import SkyNetCore

@testable import SkyNetCluster

extension Systems {
  /// Commits a slot on the first system that has one for scans of this kind, for a test that frees it itself.
  func commitment(for kind: ScanKind) async throws -> Commitment {
    try await commit(upTo: 1, for: kind)[0]
  }
}
