import ServiceLifecycle
import SkyNetCluster
import SkyNetCore

/// Tells the service manager what a node does while it serves, and that it stops.
///
/// The node is alive if its ``ScanSystem`` answers as it would answer a peer. A node that stands still is silent, and
/// systemd starts another.
struct ServiceReports: Service {
  /// How often the manager is told, unless its watchdog wants it sooner.
  private static let usualInterval = Duration.seconds(10)

  private let node: Node
  private let manager: ServiceManager

  init(_ node: Node, to manager: ServiceManager) {
    self.node = node
    self.manager = manager
  }

  /// Runs until graceful shutdown. While a service stops, systemd asks for no sign of life.
  func run() async throws {
    await cancelWhenGracefulShutdown { await report() }
    manager.tell(.stopping)
  }

  private func report() async {
    // sd_watchdog_enabled(3) asks for half of the time.
    let limit = manager.watchdogTimeout.map { $0 / 2 } ?? Self.usualInterval
    while !Task.isCancelled {
      if let status = try? await node.system.status() {
        manager.tell(.alive, .status(Self.text(status)))
      }
      try? await Task.sleep(for: min(limit, Self.usualInterval))
    }
  }

  /// What the node does, in one line.
  static func text(_ status: SystemStatus) -> String {
    let running = status.running.values.reduce(0, +)
    let waiting = status.waiting.values.reduce(0, +)
    let done = status.done.values.reduce(0, +)
    let drained = status.drainedBy.map { "drained by \($0); " } ?? ""
    return
      "\(drained)\(running) of \(status.slots) slots busy, \(waiting) waiting, \(done) scans done, "
      + "\(status.retried) retried"
  }
}
