package import SkyNetCore

/// One connection between two peers, as either end sees it. It is symmetric.
package protocol Connection: Sendable {
  /// The other end's address, for people.
  var remoteAddress: String { get }

  /// Counts the peer's signs of life: it grows with each part of a frame that arrives, and each
  /// time the peer reads what it had let wait.
  var signsOfLife: Int { get }

  /// Where answering this connection's messages costs the fewest switches between threads; `nil` if
  /// that is anywhere. What runs there must not wait: it holds up the connection.
  var executor: (any TaskExecutor)? { get }

  /// How many bytes of calls the peer may have unanswered.
  var heldLimit: Int { get }

  /// Where to tell how many bytes of calls are unanswered; `nil` if that is not counted.
  var memory: MemoryBudget.Account? { get }

  /// Queues a message and returns at once. Messages arrive in the order they were sent, except
  /// that bulk bytes let others by. On a connection that ended this does nothing.
  func send(_ message: Message)

  /// The same, and calls `whenSent` once, on any thread, when all of the message has left, or will not
  /// be sent any more. If the connection ends first, it may never be called.
  func send(_ message: Message, whenSent: @escaping @Sendable () -> Void)

  /// Hands each message that arrives to `handle`, in order, and returns when the other end has
  /// closed. May be called once. `handle` is called on the transport's own thread, and must not
  /// wait. Cancelling closes the connection.
  ///
  /// - Throws: `WireError` if the peer broke the protocol: it is told so, and the connection
  ///   closed. ``TransportError`` if the connection broke.
  func receive(_ handle: @escaping @Sendable (Message) -> Void) async throws

  /// Sends what is queued, then this message if there is one, and closes. Returns at once. A peer
  /// that reads none of it for a second or two is not waited for.
  func close(saying last: Message?)
}

extension Connection {
  package var executor: (any TaskExecutor)? { nil }

  package func send(_ message: Message, whenSent: @escaping @Sendable () -> Void) {
    send(message)
    whenSent()
  }

  package var heldLimit: Int { WireLimits().held }
  package var memory: MemoryBudget.Account? { nil }
}
