import Distributed
import SkyNetCore

extension Node {
  /// Whether a node takes scans.
  package enum Condition: String, Sendable {
    /// It does not listen yet, or is not registered yet.
    case starting
    case ready
    /// Scans that ignore their cancelling hold all of its slots.
    case full
    /// It takes no new scans, and finishes those that run.
    case draining
  }

  package var condition: Condition {
    get async {
      let (isDraining, isOpen) =
        await system.whenLocal { ($0.queue.drainReason != nil, $0.queue.isOpen) } ?? (true, false)
      if isDraining { return .draining }
      guard isReady else { return .starting }
      return isOpen ? .ready : .full
    }
  }

  /// The name of the client that asked the node to take no new scans; `nil` if none has.
  package var drainedBy: String? {
    get async { await system.whenLocal { $0.queue.drainReason?.client } ?? nil }
  }

  /// How many programs are connected to it.
  package var clientCount: Int { get async { await actorSystem.peers.clients.count } }
}
