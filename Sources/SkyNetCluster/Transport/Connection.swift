package import SkyNetCore

/// One end of a connection between two peers.
package protocol Connection: Sendable {
  /// For people.
  var remoteAddress: String { get }

  /// A count of the peer's signs of life. It grows with each part of a frame that arrives, and each time that
  /// the peer reads bytes that waited for it.
  var signsOfLife: Int { get }

  /// How many bytes of calls the peer may have unanswered.
  var heldLimit: Int { get }

  /// The account that counts the bytes of unanswered calls; `nil` if they are not counted.
  var memory: MemoryBudget.Account? { get }

  /// The fingerprint of the key by which the peer has shown that it is a member; `nil` without a key.
  var fingerprint: String? { get }

  /// Queues a message, and returns at once. Messages arrive in the order in which they were sent, except that
  /// other messages may pass one with bulk bytes. Has no effect on a connection that has ended.
  ///
  /// - Parameter whenSent: called once, on any thread, when the whole message, a call, has left, or when the rest of it
  ///   will not be sent any more. If the connection ends first, it may never be called.
  func send(_ message: Message, whenSent: (@Sendable () -> Void)?)

  /// Has this told, on the transport's executor, when the peer leaves more answers unread than a peer may that is to
  /// get more of them, and when it does so no longer. To be called before ``receive(_:)``.
  func whenBehind(_ tell: @escaping @Sendable (_ isBehind: Bool) -> Void)

  /// Hands each message that arrives to `handle`, in order, and returns when the other end has closed. May be
  /// called once. `handle` is called on the transport's executor, and must not wait. Cancelling the caller's
  /// task closes the connection.
  ///
  /// - Throws: `WireError` if the peer broke the protocol, after the peer was told so and the connection was
  ///   closed; ``TransportError`` if the connection broke.
  func receive(_ handle: @escaping @Sendable (Message) -> Void) async throws

  /// Sends the queued messages, then the last message if there is one, and closes the connection. Returns at
  /// once. The connection does not wait for a peer that reads nothing for a second or two.
  func close(saying last: Message?)
}

extension Connection {
  package var fingerprint: String? { nil }

  package func send(_ message: Message) { send(message, whenSent: nil) }

  package var heldLimit: Int { WireLimits().held }
  package var memory: MemoryBudget.Account? { nil }
  package func whenBehind(_ tell: @escaping @Sendable (_ isBehind: Bool) -> Void) {}
}
