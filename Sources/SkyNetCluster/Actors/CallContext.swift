package import SkyNetCore

/// What belongs to a call besides its argument. The context of a call of this process is its caller's; a call that came
/// over the network has one of its own.
package struct CallContext: Sendable {
  /// The caller's process.
  package let client: Incarnation
  /// The client's name, for people.
  package let clientName: String
  /// Called when the scan begins, after it has waited for its slot, with how long it has run already for an
  /// earlier call.
  let onStart: @Sendable (_ ran: Duration) -> Void
  /// The room for the call at a peer, if its caller has waited for it.
  var room: ReservedRoom?
  /// How large a peer's answer may be; `nil` for any size that the protocol allows.
  var outputLimit: OutputLimit?
  /// How the call came over the network; `nil` for a call of this process.
  var arrival: CallArrival?

  package init(
    client: Incarnation, clientName: String, onStart: @escaping @Sendable () -> Void = {}
  ) {
    self.init(client: client, clientName: clientName, onStartAfter: { _ in onStart() })
  }

  init(
    client: Incarnation, clientName: String,
    onStartAfter onStart: @escaping @Sendable (_ ran: Duration) -> Void
  ) {
    self.client = client
    self.clientName = clientName
    self.onStart = onStart
  }

  /// The context of the current task's call.
  @TaskLocal package static var current: CallContext?
}

/// How a call came over the network.
final class CallArrival: Sendable {
  let message: Message
  /// Identifies the connection.
  let connection: ObjectIdentifier
  /// The address of the client.
  let address: String
  /// The account that counts the bytes of the connection's calls; `nil` if they are not counted.
  let memory: MemoryBudget.Account?

  init(
    _ message: Message, over connection: ObjectIdentifier, from address: String,
    memory: MemoryBudget.Account?
  ) {
    self.message = message
    self.connection = connection
    self.address = address
    self.memory = memory
  }
}

/// Room for one call over one connection to a peer. Its owner has to release it once the call has ended.
struct ReservedRoom: Sendable {
  let link: PeerLink
  let call: CallRoom.CallID

  func release() { link.release(call) }
}
