package import Logging
import SkyNetCore

/// Connects to every peer that is discovered, and again whenever a connection ends, for as long as
/// the peer stays discovered.
package actor Connector {
  private struct Target {
    var peer: DiscoveredPeer
    /// Whether discovery still says that it is there. Its connection, if any, outlives that.
    var isDiscovered = true
    /// Cuts a wait short.
    var news: OneShot<Void>
  }

  private let transport: any PeerTransport
  private let actorSystem: ClusterActorSystem
  private let systems: Systems
  private let clock: any ClusterClock
  /// How long the way to a peer may take, and then the handshake with it.
  private let connectTimeout: Duration
  private let logger: Logger
  private var targets: [String: Target] = [:]

  package init(
    transport: any PeerTransport, actorSystem: ClusterActorSystem, systems: Systems,
    clock: any ClusterClock, logger: Logger
  ) {
    self.transport = transport
    self.actorSystem = actorSystem
    self.systems = systems
    self.clock = clock
    self.logger = logger
    connectTimeout = .seconds(actorSystem.hello.timeoutSeconds)
  }

  /// Follows these sources of peers until it is cancelled.
  package func run(_ sources: [any Discovery]) async {
    await withDiscardingTaskGroup { group in
      for source in sources {
        // One after the other within a source, all sources at a time.
        group.addTask { await self.follow(source) }
      }
    }
  }

  private func follow(_ source: any Discovery) async {
    await withDiscardingTaskGroup { group in
      for await event in source.events() {
        switch event {
        case .found(let peer) where !peer.mayBelong(to: transport.fingerprint):
          logger.debug("peer \(peer.name) is of another cluster")
          lost(peer.name)
        case .found(let peer):
          if found(peer) {
            group.addTask { await self.keepConnected(to: peer.name) }
          }
        case .lost(let name): lost(name)
        case .unavailable(let reason):
          logger.warning("no discovery: \(reason)")
        case .available:
          logger.info("discovery is available")
        }
      }
      group.cancelAll()
    }
  }

  /// Notes a discovered peer. Returns whether it is a new one, which no task keeps connected yet.
  private func found(_ peer: DiscoveredPeer) -> Bool {
    guard targets[peer.name] != nil else {
      targets[peer.name] = Target(peer: peer, news: OneShot())
      return true
    }
    targets[peer.name]?.peer = peer
    targets[peer.name]?.isDiscovered = true
    renew(peer.name)
    return false
  }

  private func lost(_ name: String) {
    targets[name]?.isDiscovered = false
    renew(name)
  }

  private func renew(_ name: String) {
    targets[name]?.news.complete(.success(()))
    targets[name]?.news = OneShot()
  }

  // MARK: One peer

  private func keepConnected(to name: String) async {
    var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
    // A peer that does not trust this side does so until a person gives one of them another key.
    var refusals = Backoff(first: .seconds(5), limit: .seconds(60))
    var lastComplaint: String?
    defer { targets[name] = nil }
    while !Task.isCancelled, let target = targets[name], target.isDiscovered {
      do {
        try await connect(target.peer) {
          backoff.succeeded()
          refusals.succeeded()
        }
        lastComplaint = nil
      } catch is CancellationError {
        return
      } catch let already as AlreadyConnected {
        // Met in another way; this one is of use when that one ends.
        if let other = actorSystem.link(to: already.incarnation) {
          await other.departure()
          continue
        }
      } catch {
        let complaint = Self.describe(error)
        if complaint != lastComplaint {
          logger.warning("peer \(name): \(complaint); trying again")
          lastComplaint = complaint
        }
        if (error as? TransportError)?.code == .refused {
          await wait(refusals.failed(), forNewsOf: name)
          continue
        }
      }
      await wait(backoff.failed(), forNewsOf: name)
    }
  }

  /// Connects by the first of its endpoints that answers, and returns when the connection ended.
  private func connect(_ peer: DiscoveredPeer, met: () -> Void) async throws {
    if let id = peer.incarnation, actorSystem.link(to: id) != nil {
      throw AlreadyConnected(incarnation: id)
    }
    var failure: any Error = TransportError(.cannotConnect, "no address is known")
    for endpoint in peer.endpoints {
      let connection: any Connection
      do {
        connection = try await transport.connect(to: endpoint, timeout: connectTimeout)
      } catch let error as TransportError {
        // Another address may be the right one.
        failure = error
        continue
      }
      return try await serve(connection, met: met)
    }
    throw failure
  }

  /// Serves a connection until it ends. That it did is told by `systems`; only a peer that was
  /// never met is an error.
  private func serve(_ connection: any Connection, met: () -> Void) async throws {
    let link = PeerLink(connection, system: actorSystem, clock: clock) { [systems] id in
      systems.draining(id)
    }
    do {
      try await link.run { [systems] hello in
        try? await systems.joined(hello, at: connection.remoteAddress)
      } left: { [systems] hello, reason in
        await systems.left(hello.incarnation, reason: reason)
      }
    } catch {
      guard link.hasMet else { throw error }
    }
    guard link.hasMet else {
      throw TransportError(.connectionLost, "it closed the connection without a word")
    }
    met()
  }

  private func wait(_ duration: Duration, forNewsOf name: String) async {
    guard let news = targets[name]?.news else { return }
    let clock = clock
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await news.value() }
      group.addTask { try? await clock.sleep(until: clock.now + duration) }
      await group.next()
      group.cancelAll()
    }
  }

  private static func describe(_ error: any Error) -> String {
    (error as? Goodbye).map { "it says: \($0.message)" } ?? "\(error)"
  }
}
