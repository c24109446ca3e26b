public import SkyNetCore

/// The settings of a node.
public struct NodeSettings: Hashable, Sendable {
  /// The name that the node asks for: 1 to 63 bytes of UTF-8. A longer name is cut. If another node has it already, the
  /// daemon chooses another one.
  public var name: String
  /// How many scans the node runs at a time.
  public var slots: Int
  /// The address and port that the node listens on; port 0 means any free port.
  public var endpoint: Endpoint
  /// Whether the node listens at all. One that does not is found by nothing, and serves the programs that it dials.
  public var listens = true
  /// How long a peer may be silent before it counts as gone.
  public var timeout: Duration
  /// How long running scans may take to finish after a graceful shutdown has begun. A longer timeout loses
  /// less work; a shorter one frees the machine sooner.
  public var drainTimeout: Duration
  /// How old the node's process gets; `nil` for no limit. The node leaves in an orderly way, and early enough to be
  /// gone by then: it starts nothing that would usually take longer than what is left, and leaves when nothing
  /// that it has scanned fits any more.
  public var lifetime: Duration?
  /// The node leaves when no scan has run or waited for this long; `nil` for no limit. Programs may be connected
  /// meanwhile. It stays while it is drained by request, and while others are reached through it.
  public var idleTimeout: Duration?
  /// The client in this process that lends the node's slots to others; `nil` if none does.
  var owner: Incarnation?
  /// How long the node waits for the daemon to register it before it serves unregistered.
  public var registrationTimeout: Duration

  /// Makes settings of a node that listens and stays until it is ended. By default a silent peer counts as gone after
  /// 5 seconds, scans get 10 seconds to finish, and the daemon gets 5 to register the node.
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
