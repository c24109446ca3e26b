import SkyNetCluster
import SkyNetCore
import Synchronization

/// Shows a run while it goes on: a live view on a terminal, plain lines elsewhere.
final class EngageProgress: Sendable {
  private struct State {
    var tally: Tally
    var connected: [String] = []
  }

  /// How often the view is redrawn.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let clock: any ClusterClock
  private let state: Mutex<State>

  init(total: Int, console: Console, clock: any ClusterClock) {
    self.console = console
    self.clock = clock
    state = Mutex(State(tally: Tally(total: total)))
  }

  func take(_ event: EngagementEvent, _ tally: Tally) {
    if console.isTerminal {
      state.withLock { state in
        state.tally = tally
        switch event {
        case .connected(let system): state.connected.append(system.name)
        case .disconnected(let system, _): state.connected.removeAll { $0 == system.name }
        case .handedOut, .completed, .rerun, .failed, .restored, .restoredFailure: break
        }
      }
    } else if case .completed(let result) = event {
      console.completed(result.sector, by: result.system)
    } else if let line = Self.line(event) {
      console.line(line)
    }
  }

  /// Redraws the view until cancelled, and then removes it.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.console.run() }
      guard console.isTerminal else { return }
      var view = EngageView()
      while !Task.isCancelled {
        let (tally, connected) = state.withLock { ($0.tally, $0.connected) }
        let width = console.width
        console.show(view.lines(tally, connected: connected, at: clock.now, width: width))
        try? await clock.sleep(until: clock.now + Self.interval, tolerance: nil)
      }
      console.show([])
    }
  }

  private static func line(_ event: EngagementEvent) -> String? {
    switch event {
    case .handedOut, .completed, .restored, .restoredFailure: nil
    case .rerun(let sector, let failure):
      "re-run \(sector): failed on \(failure.system): \(failure.reason)"
    case .failed(let failure):
      "gave up \(failure.sector) after \(failure.attempts) attempts: "
        + (failure.failures.last.map { "failed on \($0.system): \($0.reason)" } ?? "")
    case .connected(let system): "connected \(system.name)"
    case .disconnected(let system, let reason): "disconnected \(system.name): \(reason)"
    }
  }
}
