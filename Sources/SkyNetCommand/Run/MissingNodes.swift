import SkyNetCluster
import SkyNetCore
import Synchronization

/// Says how to start a node while a run that leaves all scans to nodes has met none.
final class MissingNodes: RunObserver, RunSurrounding {
  /// Nodes that are there are found and connected in less.
  private static let patience = Duration.seconds(2)

  private let console: Console
  private let clock: any ClusterClock
  private let hasMet = Atomic(false)

  init(_ console: Console, clock: any ClusterClock = SteadyClock()) {
    self.console = console
    self.clock = clock
  }

  /// Where the run has slots of its own, or waits for systems with a line of its own, there is nothing to say.
  convenience init?(_ options: RunOptions, _ console: Console) {
    guard options.systems.noLocal, options.systems.waitFor == 0, !options.isQuiet else {
      return nil
    }
    self.init(console)
  }

  func hear(_ update: EngagementUpdate) {
    if case .connected = update.event { hasMet.store(true, ordering: .relaxed) }
  }

  func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    try await accompanied(by: { await self.tell() }, run)
  }

  private func tell() async {
    do {
      try await clock.sleep(until: clock.now + Self.patience, tolerance: nil)
    } catch {
      return
    }
    guard !hasMet.load(ordering: .relaxed) else { return }
    console.line(
      "waiting for a node, as --no-local leaves it all scans: start one with `\(Program.name) node` here or on "
        + "another machine")
  }
}
