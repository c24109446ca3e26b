import Distributed
import Logging
import ServiceLifecycle
import SkyNetCore

/// How a node comes to leave, and how it leaves.
extension Node {
  /// Why a node leaves.
  enum Departure: Sendable {
    /// A graceful shutdown was asked for, or the task was cancelled.
    case asked
    /// What the node has scanned would not be done within its lifetime any more.
    case lifetime
    /// Nothing has run or waited for as long as its settings allow.
    case idle
  }

  /// The node looks this often at least whether it has to leave, since scans change the answer.
  private static let interval = Duration.seconds(1)

  /// Waits until the node has to leave.
  func waitForDeparture() async -> Departure {
    logLimits()
    return await withTaskGroup(of: Departure?.self) { group in
      group.addTask {
        try? await gracefulShutdown()
        return .asked
      }
      group.addTask { await self.waitForLimit() }
      defer { group.cancelAll() }
      // A node without limits has none to wait for.
      while let departure = await group.next() {
        if let departure { return departure }
      }
      return .asked
    }
  }

  /// Waits for the first of the node's own limits. Returns `nil` if it has none, or if the task was cancelled.
  private func waitForLimit() async -> Departure? {
    guard settings.lifetime != nil || settings.idleTimeout != nil else { return nil }
    var idleLimit = settings.idleTimeout.map(IdleLimit.init)
    while !Task.isCancelled {
      let now = clock.now
      let (departure, idleSince) =
        await system.whenLocal { ($0.queue.lifetimeDeparture, $0.queue.idleSince) } ?? (nil, nil)
      if let departure, departure <= now { return .lifetime }
      let idleEnd = idleLimit?.end(
        idleSince: idleSince, isKept: await isKept, at: now)
      if let idleEnd, idleEnd <= now { return .idle }
      let next = [departure, idleEnd].compactMap(\.self).min() ?? now + Self.interval
      try? await clock.sleep(until: min(next, now + Self.interval))
    }
    return nil
  }

  /// Whether the node has to stay without scans: it was drained by request, and may be undrained, or others are
  /// reached through it.
  private var isKept: Bool {
    get async {
      if await drainedBy != nil { return true }
      return await !actorSystem.peers.relayedNodes.isEmpty
    }
  }

  // MARK: The log

  private func logLimits() {
    if let lifetime = settings.lifetime {
      logger.info(
        "leaves when its lifetime is over",
        metadata: .skynet([.lifetime: "\(lifetime.inTenths) s"]))
    }
    if let timeout = settings.idleTimeout {
      logger.info(
        "leaves when it has had nothing to scan for long enough",
        metadata: .skynet([.idleTimeout: "\(timeout.inTenths) s"]))
    }
  }

  func log(_ departure: Departure) async {
    guard !Task.isCancelled else { return }
    var values: [LogKey: String] = [.scans: "\(await system.servingStatus?.running.count ?? 0)"]
    var timeout = settings.drainTimeout
    switch departure {
    case .asked: break
    case .lifetime:
      values[.reason] = "nothing that it scans fits into the rest of its lifetime"
      timeout = max(.zero, clock.now.duration(to: await lifetimeDeadline ?? clock.now))
    case .idle:
      values[.reason] =
        "it has had nothing to scan for \((settings.idleTimeout ?? .zero).inTenths) s"
    }
    values[.timeout] = "\(timeout.inTenths) s"
    logger.info("stopping", metadata: .skynet(values))
  }

  /// When the scans that run have to be given up, so that the process is gone in time; `nil` if it has no end.
  private var lifetimeDeadline: Instant? {
    get async { await system.whenLocal { $0.queue.lifetimeDeadline } ?? nil }
  }

  // MARK: Leaving

  /// Hands back the calls that wait, and lets the scans that run finish: for at most the drain timeout after a
  /// graceful shutdown was asked for, and until the end of the node's lifetime.
  func drain(_ departure: Departure) async {
    guard !Task.isCancelled else { return }
    await system.whenLocal { $0.beginDrain() }
    let links = await introducedLinks
    await withDiscardingTaskGroup { group in
      group.addTask { [clock, settings] in
        // The node may be asked to stop while it leaves by itself.
        if departure == .lifetime { guard (try? await gracefulShutdown()) != nil else { return } }
        await self.giveUpScans(of: links, at: clock.now + settings.drainTimeout)
      }
      if let deadline = await lifetimeDeadline {
        group.addTask { await self.giveUpScans(of: links, at: deadline) }
      }
      for link in links { await link.waitForCalls() }
      group.cancelAll()
    }
  }

  /// Has the node of a program that lends its own system leave: its peers get back what waits here, and what runs.
  func leave() async {
    await system.whenLocal { $0.beginDrain() }
    await sayGoodbye()
  }

  func sayGoodbye() async {
    for link in await introducedLinks { await link.end(for: .left(.stopped)) }
  }

  private func giveUpScans(of links: [PeerLink], at deadline: Instant) async {
    guard (try? await clock.sleep(until: deadline)) != nil else { return }
    logger.warning("scans that still run are given up")
    for link in links { await link.end(for: .left(.stopped)) }
  }
}
