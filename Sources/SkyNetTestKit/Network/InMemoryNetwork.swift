public import SkyNetCluster
import SkyNetCore
import Synchronization

/// A network inside the process, whose faults a test decides.
///
/// Each participant has a transport of its own, known by its host's name. Nothing here takes time:
/// a message is delivered before `send` returns, on the sender's thread, unless it is held back or
/// another one of that connection is being delivered.
///
/// ```swift
/// let network = InMemoryNetwork()
/// let listener = try await network.transport(host: "b").listen(on: Endpoint(host: "b", port: 1))
/// network.cut("b")
/// ```
public final class InMemoryNetwork: Sendable {
  private struct State {
    var listeners: [Endpoint: InMemoryListener] = [:]
    var pipes: [InMemoryPipe] = []
    var cut: Set<String> = []
    var held: Set<String> = []
    var refusing: Set<String> = []
    var connects: [String: Int] = [:]
    var nextPort = 49_152

    mutating func freePort() -> Int {
      nextPort += 1
      return nextPort
    }
  }

  private let state = Mutex(State())

  public init() {}

  /// The transport of the host of this name.
  ///
  /// - Parameter fingerprint: its cluster's: hosts with different ones refuse each other.
  public func transport(host: String, fingerprint: String? = nil) -> any Transport {
    InMemoryTransport(host: host, fingerprint: fingerprint, network: self)
  }

  /// How often somebody tried to connect to a host, with or without success.
  public func connects(to host: String) -> Int {
    state.withLock { $0.connects[host] ?? 0 }
  }

  // MARK: Faults

  /// Cuts a host off, both ways. Its connections stay open and silent, what is sent waits, and new
  /// ones cannot be made: as with a cable pulled.
  public func cut(_ host: String) {
    state.withLock { _ = $0.cut.insert(host) }
  }

  /// Mends a cut. What waited arrives, also that a connection was closed meanwhile.
  public func heal(_ host: String) {
    state.withLock { _ = $0.cut.remove(host) }
    pump()
  }

  /// Holds back all that a host sends. Others can still connect, and send to it.
  public func hold(from host: String) {
    state.withLock { _ = $0.held.insert(host) }
  }

  /// Delivers what was held back, in order.
  public func release(from host: String) {
    state.withLock { _ = $0.held.remove(host) }
    pump()
  }

  /// Refuses connections to a host, although it listens.
  public func refuse(_ host: String) {
    state.withLock { _ = $0.refusing.insert(host) }
  }

  /// Takes connections to a host again.
  public func accept(_ host: String) {
    state.withLock { _ = $0.refusing.remove(host) }
  }

  /// Ends a host's connections and listeners without a word, as when its process is killed. The
  /// other ends see their connections break, once they are not cut off from it. Something that
  /// listens on it again is a process that was started anew.
  public func crash(_ host: String) {
    let (pipes, listeners) = state.withLock { state in
      let listeners = state.listeners.values.filter { $0.endpoint.host == host }
      state.listeners = state.listeners.filter { $0.key.host != host }
      return (state.pipes, listeners)
    }
    let lost = TransportError(.connectionLost, "the connection broke: \(host) crashed")
    // Its own ends first: who finds the other's broken may close them in order meanwhile.
    for pipe in pipes where pipe.source == host { pipe.close(.failure(lost)) }
    for pipe in pipes where pipe.destination == host { pipe.abandon(.failure(lost)) }
    // Last: who listens may take it for a shutdown, and close the rest in order.
    for listener in listeners { listener.end() }
  }

  /// Breaks a host's connections, at both ends, as a faulty switch or a firewall between them does.
  /// The host lives, and can be connected to anew.
  public func breakConnections(of host: String) {
    let pipes = state.withLock { $0.pipes }
    let lost = TransportError(.connectionLost, "the connection broke")
    for pipe in pipes where pipe.source == host || pipe.destination == host {
      pipe.close(.failure(lost))
      pipe.abandon(.failure(lost))
    }
  }

  // MARK: What transports do

  func listen(on endpoint: Endpoint, fingerprint: String?) throws -> InMemoryListener {
    try state.withLock { state in
      var endpoint = endpoint
      if endpoint.port == 0 { endpoint = Endpoint(host: endpoint.host, port: state.freePort()) }
      guard state.listeners[endpoint] == nil else {
        throw TransportError(.cannotListen, "cannot listen on \(endpoint): address in use")
      }
      let listener = InMemoryListener(endpoint, fingerprint: fingerprint, network: self)
      state.listeners[endpoint] = listener
      return listener
    }
  }

  func stopListening(_ listener: InMemoryListener) {
    state.withLock { state in
      if state.listeners[listener.endpoint] === listener {
        state.listeners[listener.endpoint] = nil
      }
    }
  }

  func connect(
    from host: String, fingerprint: String?, to endpoint: Endpoint
  ) throws -> InMemoryConnection {
    let (listener, port) = try state.withLock { state in
      state.connects[endpoint.host, default: 0] += 1
      guard !state.cut.contains(host), !state.cut.contains(endpoint.host) else {
        throw TransportError(.cannotConnect, "\(endpoint) cannot be reached: no answer in time")
      }
      guard let listener = state.listeners[endpoint], !state.refusing.contains(endpoint.host) else {
        throw TransportError(.cannotConnect, "\(endpoint) cannot be reached: connection refused")
      }
      return (listener, state.freePort())
    }
    guard listener.fingerprint == fingerprint else {
      listener.refuse(host)
      throw TransportError(.refused, "it holds another cluster key")
    }
    let there = InMemoryPipe(from: host, to: endpoint.host, isOpen: isOpen)
    let back = InMemoryPipe(from: endpoint.host, to: host, isOpen: isOpen)
    // Not under this lock: under its own, a pipe asks here whether the way is open.
    let abandoned = Set(
      state.withLock { $0.pipes }.filter(\.isAbandoned).map { ObjectIdentifier($0) })
    state.withLock { state in
      state.pipes.removeAll { abandoned.contains(ObjectIdentifier($0)) }
      state.pipes += [there, back]
    }
    let address = Endpoint(host: host, port: port).description
    listener.accept(InMemoryConnection(remoteAddress: address, inbound: there, outbound: back))
    return InMemoryConnection(
      remoteAddress: endpoint.description, inbound: back, outbound: there)
  }

  private var isOpen: @Sendable (_ from: String, _ to: String) -> Bool {
    { [weak self] from, to in
      self?.state.withLock { state in
        !state.cut.contains(from) && !state.cut.contains(to) && !state.held.contains(from)
      } ?? true
    }
  }

  private func pump() {
    for pipe in state.withLock({ $0.pipes }) { pipe.pump() }
  }
}
