package import SkyNetCore

/// What belongs to a call besides its argument. The context of a call of this process is its caller's; a call that came
/// over the network has one of its own.
package final class CallContext: Sendable {
  /// The caller's process.
  package let client: Incarnation
  package let clientName: String
  /// Called when the scan begins, after it has waited for its slot, with how long it has run already for an
  /// earlier call.
  let onStart: @Sendable (_ ran: Duration) -> Void
  /// The room for the call at a peer, if its caller has waited for it.
  let room: ReservedRoom?
  /// How large a peer's answer may be; `nil` for any size that the protocol allows.
  let outputLimit: OutputLimit?
  /// How the call came over the network; `nil` for a call of this process.
  let arrival: CallArrival?
  let scope: LogScope?

  init(
    client: Incarnation, clientName: String, room: ReservedRoom? = nil,
    outputLimit: OutputLimit? = nil, arrival: CallArrival? = nil, scope: LogScope? = nil,
    onStart: @escaping @Sendable (_ ran: Duration) -> Void = { _ in }
  ) {
    self.client = client
    self.clientName = clientName
    self.onStart = onStart
    self.room = room
    self.outputLimit = outputLimit
    self.arrival = arrival
    self.scope = scope
  }

  /// The context of the call's scan. It does not hold the message: the call does, and another one if another call
  /// claims the scan.
  func ofScan(_ task: ScanTask) -> CallContext {
    CallContext(
      client: client, clientName: clientName, scope: LogScope(of: task))
  }

  /// The context of the current task's call.
  @TaskLocal package static var current: CallContext?
}

/// How a call came over the network.
struct CallArrival: Sendable {
  let message: Message
  let connection: ObjectIdentifier
  /// The client's.
  let address: String
  /// The account that counts the bytes of the connection's calls; `nil` if they are not counted.
  let memory: MemoryBudget.Account?
}

/// Room for one call over one connection to a peer. The call frees it when it has ended; if there is no call, its owner
/// does.
struct ReservedRoom: Sendable {
  let peer: Incarnation
  let link: PeerLink
  let call: CallRoom.CallID

  /// A second time has no effect. Called on the engine.
  func release() { link.here { $0.window?.release(call) } }
}

extension LogScope {
  init(of task: ScanTask) {
    self.init(run: task.run, sector: task.id.sector, attempt: task.attempt.number)
  }
}
