import Distributed
import SkyNetCore

/// The methods that peers may call, by their numbers. Nothing is looked up by a name from the wire.
extension ScanSystem {
  /// Calls the method that a peer asks for. Returns the answer, which still lacks the number of the call.
  func answer(_ call: Message) async -> Message {
    let coder = actorSystem.coder
    do {
      switch call.target {
      case CallTargets.run:
        return try coder.reply(try await run(try coder.decode(ScanTask.self, from: call)))
      case CallTargets.count: return try coder.reply(count)
      case CallTargets.status: return try coder.reply(try await status())
      case CallTargets.drain: return try coder.reply(try await drain())
      case CallTargets.undrain: return try coder.reply(try await undrain())
      case CallTargets.relay:
        let node = try coder.decode(Incarnation.self, from: call)
        return try coder.reply(try await relay(to: node))
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

extension BodyCoder {
  fileprivate func reply(_ value: some MessageBody) throws -> Message {
    let (body, bulk) = try encode(value)
    return Message(.reply, body: body, bulk: bulk)
  }
}
