public import SkyNetCore

/// What a node is started with.
public struct NodeSettings: Hashable, Sendable {
  /// The node's name, unless another node has it already.
  public var name: String
  /// How many scans it runs at a time.
  public var slots: Int
  /// Where it listens; port 0 takes any free one.
  public var endpoint: Endpoint
  /// The silence after which a peer is gone.
  public var timeout: Duration
  /// How long scans that run may take to finish when the node is told to stop. Longer loses less
  /// work; shorter frees the machine sooner.
  public var drainTimeout: Duration
  /// How long to wait for the daemon to register the node before it serves without.
  public var registrationTimeout: Duration

  public init(
    name: String, slots: Int, endpoint: Endpoint, timeout: Duration = .seconds(5),
    drainTimeout: Duration = .seconds(10), registrationTimeout: Duration = .seconds(5)
  ) {
    self.name = name
    self.slots = slots
    self.endpoint = endpoint
    self.timeout = timeout
    self.drainTimeout = drainTimeout
    self.registrationTimeout = registrationTimeout
  }
}
