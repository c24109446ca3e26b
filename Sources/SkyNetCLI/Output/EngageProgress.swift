import SkyNetCluster
import SkyNetCore
import Synchronization

/// Shows a run while it goes on: lines of what happens, and on a terminal a panel below them.
///
/// The lines are the same everywhere, but that the panel counts completions, which need no lines
/// then.
final class EngageProgress: Sendable {
  private struct State {
    var tally: Tally
    var connected: [String] = []
  }

  /// How often the view is redrawn.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let hasPanel: Bool
  private let tellsCompletions: Bool
  private let clock: any ClusterClock
  private let state: Mutex<State>

  /// - Parameter resultsAreShown: whether a terminal gets the results too. No panel is drawn then,
  ///   as it would be drawn over them; and no line tells of a completion that a result tells of.
  init(total: Int, console: Console, resultsAreShown: Bool, clock: any ClusterClock) {
    self.console = console
    hasPanel = console.canRedraw && !resultsAreShown
    tellsCompletions = !hasPanel && !(console.isTerminal && resultsAreShown)
    self.clock = clock
    state = Mutex(State(tally: Tally(total: total)))
  }

  func take(_ event: EngagementEvent, _ tally: Tally) {
    if hasPanel {
      state.withLock { state in
        state.tally = tally
        switch event {
        case .connected(let system): state.connected.append(system.name)
        case .disconnected(let system, _): state.connected.removeAll { $0 == system.name }
        case .handedOut, .completed, .rerun, .failed, .restored, .restoredFailure, .unsuited,
          .leaving, .waitingForSystem, .stalled, .paused:
          break
        }
      }
    }
    if case .completed(let result) = event {
      if tellsCompletions { console.completed(result.sector, by: result.system) }
    } else if let line = EventLine.text(event) {
      console.line(line)
    }
  }

  /// Redraws the view until cancelled, and then removes it.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.console.run() }
      guard hasPanel else { return }
      var view = EngageView()
      while !Task.isCancelled {
        let (tally, connected) = state.withLock { ($0.tally, $0.connected) }
        let width = console.window.columns
        console.show(view.lines(tally, connected: connected, at: clock.now, width: width))
        try? await clock.sleep(until: clock.now + Self.interval, tolerance: nil)
      }
      console.show([])
    }
  }
}
