package import SkyNetCore

/// The context of a call: its caller, and where to report the scan's start. A call of this process has one too,
/// not only a call that came over the network.
package struct CallContext: Sendable {
  /// The caller's process.
  package let client: Incarnation
  /// The client's name, for people.
  package let clientName: String
  /// The client's address; `nil` for a call of this process.
  var clientAddress: String?
  /// Called when the scan begins, after it has waited for its slot, with how long it has run already for an
  /// earlier call.
  let onStart: @Sendable (_ ran: Duration) -> Void
  /// Whether the call came over the network.
  var isRemote = false

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
