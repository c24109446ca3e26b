import Distributed
import SkyNetCore

/// The methods that peers may call, by their numbers. Nothing is looked up by a name from the wire.
extension ScanSystem {
  /// The task that a call asks to scan; `nil` if it asks for something else.
  ///
  /// - Parameter kept: the settings that the call may refer to.
  nonisolated func scan(
    askedForBy call: Message, with kept: KeptSettings?
  ) -> Result<ScanTask, any Error>? {
    guard call.target == CallTargets.run else { return nil }
    return Result { try ScanTask(from: call, by: actorSystem.coder, with: kept) }
  }

  /// Calls the method that a peer asks for. Returns the answer, which still lacks the number of the call.
  ///
  /// - Parameter scan: what ``scan(askedForBy:)`` has read of the call.
  func answer(_ call: Message, _ scan: Result<ScanTask, any Error>?) async -> Message {
    let coder = actorSystem.coder
    do {
      if let scan { return try coder.encode(try await scanned(try scan.get()), as: .reply) }
      switch call.target {
      case CallTargets.count: return try coder.encode(count, as: .reply)
      case CallTargets.status: return try coder.encode(try await status(), as: .reply)
      case CallTargets.drain: return try coder.encode(try await drain(), as: .reply)
      case CallTargets.undrain: return try coder.encode(try await undrain(), as: .reply)
      case CallTargets.relay:
        let node = try coder.decode(Incarnation.self, from: call)
        return try coder.encode(try await relay(to: node), as: .reply)
      case CallTargets.meet:
        try meet(try coder.decode(RelayTicket.self, from: call))
        return Message(.reply)
      default: throw CallFailure(.system, "there is no method \(call.target) to call")
      }
    } catch {
      return Message(.failure, encoding: CallFailure(error))
    }
  }
}
