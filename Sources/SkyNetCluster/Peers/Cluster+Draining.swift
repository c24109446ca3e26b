import Distributed
import SkyNetCore

/// A system could not be asked to drain, or to take tasks again.
package struct DrainRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

extension Cluster {
  /// Asks a peer to take no new tasks: it hands back those that wait, and finishes those that run.
  ///
  /// - Returns: what still runs there.
  /// - Throws: ``DrainRefusal``; `CancellationError`.
  package func drain(_ peer: RemoteSystem) async throws -> SystemStatus {
    try await ask(peer) { try await $0.drain() }
  }

  /// Asks a peer to take tasks again, if it was asked to drain. The peer ends the connections of those that were
  /// told of the drain, so that they connect anew.
  ///
  /// - Returns: what runs there. The peer still drains if it is about to end.
  /// - Throws: ``DrainRefusal``; `CancellationError`.
  package func undrain(_ peer: RemoteSystem) async throws -> SystemStatus {
    try await ask(peer) { try await $0.undrain() }
  }

  private func ask(
    _ peer: RemoteSystem, _ call: (ScanSystem) async throws -> SystemStatus
  ) async throws -> SystemStatus {
    do {
      return try await call(ScanSystem.resolve(id: peer.incarnation, using: actorSystem))
    } catch let failure as CallFailure {
      throw DrainRefusal(description: "\(peer.name) refuses: \(failure.message)")
    } catch let error where !(error is CancellationError) {
      throw DrainRefusal(description: "\(peer.name) does not answer: \(error)")
    }
  }
}
