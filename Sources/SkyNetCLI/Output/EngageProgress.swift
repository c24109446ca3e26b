import SkyNetCluster
import SkyNetCore
import SkyNetViews
import Synchronization

/// Shows a run's progress: a line for each event, and on a terminal a panel below the lines.
///
/// The lines are the same with and without a panel, except that the panel counts completions and no
/// lines report them.
final class EngageProgress: Sendable {
  private struct State {
    var tally: Tally
    var connected: [String] = []
  }

  /// How often the view is redrawn.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let hasPanel: Bool
  private let printsCompletions: Bool
  private let clock: any ClusterClock
  private let state: Mutex<State>

  /// - Parameter resultsAreShown: whether a terminal shows the results too. Then no panel is drawn,
  ///   since it would overwrite them, and no line reports a completion that a result shows.
  init(total: Int, console: Console, resultsAreShown: Bool, clock: any ClusterClock) {
    self.console = console
    hasPanel = console.canRedraw && !resultsAreShown
    printsCompletions = !hasPanel && !(console.isTerminal && resultsAreShown)
    self.clock = clock
    state = Mutex(State(tally: Tally(total: total)))
  }

  /// Prints the event's line, if it has one, and updates the panel's figures.
  func show(_ update: EngagementUpdate) {
    let (event, tally) = (update.event, update.tally)
    if hasPanel {
      state.withLock { state in
        state.tally = tally
        switch event {
        case .connected(let system): state.connected.append(system.name)
        case .disconnected(let system, _): state.connected.removeAll { $0 == system.name }
        default: break
        }
      }
    }
    if case .completed(let result) = event {
      if printsCompletions { console.completed(result.sector, by: result.system) }
    } else if let line = EventText.text(event) {
      console.line(line)
    }
  }

  /// Redraws the panel until cancelled, and then removes it.
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
