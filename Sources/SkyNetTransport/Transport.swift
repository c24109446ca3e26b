public import SkyNetCore

/// A way for processes to exchange messages.
///
/// The side that listens serves: it takes nothing more from a peer that does not read its answers,
/// until it does. The side that connects reads even while nothing is read from it, so the two never
/// wait for each other.
public protocol Transport: Sendable {
  /// Opens a connection to a peer that listens.
  ///
  /// - Throws: ``TransportError`` if there is none within the timeout.
  func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection

  /// What everybody may see of who is trusted: peers with another one cannot be reached. `nil` if
  /// nothing is encrypted.
  var fingerprint: String? { get }

  /// How much one peer may ask this side to hold.
  var limits: WireLimits { get }

  /// Listens for peers; port 0 takes any free one.
  ///
  /// - Throws: ``TransportError`` if the endpoint cannot be listened on.
  func listen(on endpoint: Endpoint) async throws -> any Listener
}

extension Transport {
  public var fingerprint: String? { nil }
  public var limits: WireLimits { WireLimits() }
}

/// One connection between two peers, as either end sees it. It is symmetric.
public protocol Connection: Sendable {
  /// The other end's address, for people.
  var remoteAddress: String { get }

  /// How much the peer has shown of itself: grows with each part of a frame that arrives, and each
  /// time the peer has read what it had let wait.
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

  /// The same, and calls `whenSent` once when all of the message has left, or will not be sent any
  /// more; on any thread. On a connection that ends before it may not be called.
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
  public var executor: (any TaskExecutor)? { nil }

  public func send(_ message: Message, whenSent: @escaping @Sendable () -> Void) {
    send(message)
    whenSent()
  }

  public var heldLimit: Int { WireLimits().held }
  public var memory: MemoryBudget.Account? { nil }
}

/// A place where peers connect.
public protocol Listener: Sendable {
  /// Where it listens, with the port it got.
  var endpoint: Endpoint { get }
  /// Those who connected; ends when the listener is closed. To be iterated once.
  var connections: AsyncStream<any Connection> { get }
  /// Those who connected, and were not let in; ends with `connections`. Only the latest are kept
  /// for whoever is slow to look. To be iterated once.
  var refusals: AsyncStream<Refusal> { get }
  /// Why no connection can be taken just now, where the machine is to blame; they are taken again
  /// as soon as they can be. Told once while that lasts. Ends with `connections`, to be iterated
  /// once.
  var faults: AsyncStream<TransportError> { get }
  /// Takes no more connections. Those that were made are not touched.
  func close()
}

extension Listener {
  public var refusals: AsyncStream<Refusal> { AsyncStream { $0.finish() } }
  public var faults: AsyncStream<TransportError> { AsyncStream { $0.finish() } }
}

/// Somebody was not let in.
public struct Refusal: Sendable {
  /// Where it came from, without the port, which differs each time.
  public let host: String
  public let reason: String

  public init(host: String, reason: String) {
    self.host = host
    self.reason = reason
  }
}

/// A failure of the network, as opposed to one of a peer's making.
public struct TransportError: Error, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case cannotConnect
    case cannotListen
    /// A listener cannot take connections for now: a table of descriptors is full, or memory.
    case cannotAccept
    case connectionLost
    /// The two sides do not trust each other: their keys or certificates differ, or one of them
    /// does without encryption.
    case refused
  }

  public let code: Code
  public let message: String
  public let cause: (any Error)?

  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
