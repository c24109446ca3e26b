package import SkyNetCore

/// What a call brings along besides its arguments, whether it came over the network or not.
package struct CallContext: Sendable {
  /// The caller's process.
  package let client: Incarnation
  /// The client's name, for people.
  package let clientName: String
  /// Called when the scan begins, having waited for its slot, with how long it has run already for an
  /// earlier call.
  let onStart: @Sendable (_ ran: Duration) -> Void
  /// The executor that the call arrived on, if it came over the network.
  var receiver: (any TaskExecutor)?

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
