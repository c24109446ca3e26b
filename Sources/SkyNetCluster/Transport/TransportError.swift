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
