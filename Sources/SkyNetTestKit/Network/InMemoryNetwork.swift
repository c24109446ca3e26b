public import SkyNetCluster
package import SkyNetCore
import Synchronization

/// A network inside the process, whose faults a test decides.
///
/// Each participant has a transport with its host's name. Nothing takes time: a message is delivered as soon as the
/// network's executor comes to it, on which all participants' actors run, unless it is held back.
///
/// ```swift
/// let network = InMemoryNetwork()
/// let node = Node(settings, scans: [Primes()], transport: network.transport(host: "b"))
/// network.cut("b")
/// ```
public final class InMemoryNetwork: Sendable {
  private struct State {
    var listeners: [Endpoint: InMemoryListener] = [:]
    var pipes: [InMemoryPipe] = []
    var cut: Set<String> = []
    var held: Set<String> = []
    var refusing: Set<String> = []
    var silent: Set<String> = []
    var connects: [String: Int] = [:]
    var nextPort = 49_152

    mutating func freePort() -> Int {
      nextPort += 1
      return nextPort
    }
  }

  private let state = Mutex(State())
  package let executor: any EngineExecutor
  /// How many messages of each kind have arrived, at any host.
  package let arrived = Watched<[FrameKind: Int]>([:])

  /// Makes a network without hosts.
  public convenience init() { self.init(on: SerialQueueExecutor()) }

  /// Makes a network whose messages arrive on this executor.
  package init(on executor: any EngineExecutor) { self.executor = executor }

  /// Makes a transport for the host of this name.
  ///
  /// - Parameters:
  ///   - host: the host's name, by which other hosts reach it.
  ///   - fingerprint: the fingerprint of the host's cluster; hosts with different ones refuse each other.
  public func transport(host: String, fingerprint: String? = nil) -> Transport {
    transport(host: host, keys: InMemoryKeys(fingerprint.map { [$0] } ?? []))
  }

  /// Makes a transport for the host of this name, whose keys may change.
  package func transport(host: String, keys: InMemoryKeys) -> Transport {
    Transport(InMemoryTransport(host: host, keys: keys, network: self))
  }

  /// How many connections to a host were tried, with or without success.
  public func connects(to host: String) -> Int {
    state.withLock { $0.connects[host] ?? 0 }
  }

  // MARK: Faults

  /// Cuts a host off in both directions, like a pulled cable: its connections stay open, messages on them wait,
  /// and no new connection can be made.
  public func cut(_ host: String) {
    state.withLock { _ = $0.cut.insert(host) }
  }

  /// Mends a cut. Messages that waited arrive, and so does the end of connections closed meanwhile.
  public func heal(_ host: String) {
    state.withLock { _ = $0.cut.remove(host) }
    pump()
  }

  /// Holds back all messages that a host sends. Other hosts can still connect to it, and send to it.
  public func hold(from host: String) {
    state.withLock { _ = $0.held.insert(host) }
  }

  /// Delivers the messages that were held back, in order, and holds back no more.
  public func release(from host: String) {
    state.withLock { _ = $0.held.remove(host) }
    pump()
  }

  /// Refuses connections to a host, even though the host listens.
  public func refuse(_ host: String) {
    state.withLock { _ = $0.refusing.insert(host) }
  }

  /// Ends ``refuse(_:)``: connections to a host succeed again.
  public func accept(_ host: String) {
    state.withLock { _ = $0.refusing.remove(host) }
  }

  /// Leaves connections to a host without an answer, as a firewall does that drops: to connect takes until its task is
  /// cancelled. There need not be a host of this name.
  public func silence(_ host: String) {
    state.withLock { _ = $0.silent.insert(host) }
  }

  /// Ends a host's connections and listeners without a goodbye, as if its process were killed. The other ends see
  /// their connections break, or, if they are cut off, see it after ``heal(_:)``. A transport that listens on
  /// the host again stands for a new process.
  public func crash(_ host: String) {
    let (pipes, listeners) = state.withLock { state in
      let listeners = state.listeners.values.filter { $0.endpoint.host == host }
      state.listeners = state.listeners.filter { $0.key.host != host }
      return (state.pipes, listeners)
    }
    let lost = TransportError(.connectionLost, "the connection broke: \(host) crashed")
    // The host's own ends first: a peer that sees its end break may close the connection in order.
    for pipe in pipes where pipe.source == host { pipe.close(.failure(lost)) }
    for pipe in pipes where pipe.destination == host { pipe.abandon(.failure(lost)) }
    // Listeners last: a node whose listener ends may take that for a shutdown, and close the rest in order.
    for listener in listeners { listener.end() }
  }

  /// Breaks a host's connections at both ends, like a faulty switch or a firewall. The host lives on, and new
  /// connections to it succeed.
  public func breakConnections(of host: String) {
    let pipes = state.withLock { $0.pipes }
    let lost = TransportError(.connectionLost, "the connection broke")
    for pipe in pipes where pipe.source == host || pipe.destination == host {
      pipe.close(.failure(lost))
      pipe.abandon(.failure(lost))
    }
  }

  /// Waits until all messages have arrived that were sent, and those that their receivers have sent at once.
  package func settle() async {
    repeat {
      await withCheckedContinuation { continuation in executor.execute { continuation.resume() } }
    } while state.withLock { $0.pipes }.contains(where: \.isBusy)
  }

  // MARK: For transports

  func listen(on endpoint: Endpoint, keys: InMemoryKeys) throws -> InMemoryListener {
    try state.withLock { state in
      var endpoint = endpoint
      if endpoint.port == 0 { endpoint = Endpoint(host: endpoint.host, port: state.freePort()) }
      guard state.listeners[endpoint] == nil else {
        throw TransportError(.cannotListen, "cannot listen on \(endpoint): address in use")
      }
      let listener = InMemoryListener(endpoint, keys: keys, network: self)
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
    from host: String, keys: InMemoryKeys, to endpoint: Endpoint
  ) async throws -> InMemoryConnection {
    let isSilent = state.withLock { state in
      state.connects[endpoint.host, default: 0] += 1
      return state.silent.contains(endpoint.host)
    }
    if isSilent {
      // Ends when the task is cancelled.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }
    return try connect(from: host, keys: keys, answering: endpoint)
  }

  private func connect(
    from host: String, keys: InMemoryKeys, answering endpoint: Endpoint
  ) throws -> InMemoryConnection {
    let (listener, port) = try state.withLock { state in
      guard !state.cut.contains(host), !state.cut.contains(endpoint.host) else {
        throw TransportError(.cannotConnect, "\(endpoint) cannot be reached: no answer in time")
      }
      guard let listener = state.listeners[endpoint], !state.refusing.contains(endpoint.host) else {
        throw TransportError(.cannotConnect, "\(endpoint) cannot be reached: connection refused")
      }
      return (listener, state.freePort())
    }
    let (own, others) = (keys.fingerprints, listener.keys.fingerprints)
    let fingerprint = own.first { others.contains($0) }
    guard fingerprint != nil || own.isEmpty && others.isEmpty else {
      listener.refuse(host)
      throw TransportError(.refused, "it holds another cluster key")
    }
    let there = InMemoryPipe(from: host, to: endpoint.host, on: executor, arrived, isOpen: isOpen)
    let back = InMemoryPipe(from: endpoint.host, to: host, on: executor, arrived, isOpen: isOpen)
    // Not under this lock, as a pipe that holds its own lock asks for this one in `isOpen`.
    let abandoned = Set(
      state.withLock { $0.pipes }.filter(\.isAbandoned).map { ObjectIdentifier($0) })
    state.withLock { state in
      state.pipes.removeAll { abandoned.contains(ObjectIdentifier($0)) }
      state.pipes += [there, back]
    }
    let address = Endpoint(host: host, port: port).description
    listener.accept(
      InMemoryConnection(
        remoteAddress: address, fingerprint: fingerprint, inbound: there, outbound: back))
    return InMemoryConnection(
      remoteAddress: endpoint.description, fingerprint: fingerprint, inbound: back,
      outbound: there)
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
