import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetViews
import Synchronization

/// Shows a run's progress: a line for each event, and on a terminal a panel below the lines.
///
/// The lines are the same with and without a panel, except that the panel counts completions and no
/// lines report them.
final class EngageProgress: RunObserver, RunSurrounding {
  private struct State {
    var lines = EventLines()
    var reruns = RerunLines()
    /// What the panel shows; stays empty where there is no panel.
    var run: RunView
    /// The wall clock's time at the origin of `clock`, as the events have it.
    var origin: Double?
    var waiting: Waiting?
    var isStopping = false
    var failures = FailureGroups()
    /// How many parts a growing job has begun.
    var begunParts = 0

    init(weights: [Double]) { run = RunView(weights: weights) }
  }

  /// What the run waits for before it begins.
  private struct Waiting {
    let wanted: Int
    let deadline: Instant
    var connected: [String] = []

    func line(at now: Instant) -> String {
      WaitingLine.text(
        for: wanted, connected: connected, left: max(0, now.duration(to: deadline).inSeconds))
    }
  }

  /// How often the view is redrawn.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let hasPanel: Bool
  private let printsCompletions: Bool
  /// Whether only what is wrong has its line.
  private let isQuiet: Bool
  private let clock: any ClusterClock
  private let words: RunWords
  private let localSlots: Int
  private let scanTimeout: Duration?
  private let stopLimit: Duration?
  private let inFlight = Atomic<Int>(0)
  private let hasBegun = Atomic<Bool>(false)
  private let state: Mutex<State>
  private let (held, announceHeld) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - words: the run's.
  ///   - weights: how long each pass of the job takes, in relation to the others.
  ///   - localSlots: the slots of this process's own system.
  ///   - scanTimeout: the limit that `--scan-timeout` sets.
  ///   - stopLimit: how long the run may go on after a first signal, if that is limited.
  ///   - readers: what reads the results and events. A panel would overwrite those that a terminal shows, and what
  ///     the reader of a pipe prints on this one. No line reports a completion that a terminal shows as a result.
  init(
    words: RunWords = RunWords(), weights: [Double], localSlots: Int, scanTimeout: Duration?,
    stopLimit: Duration? = nil,
    console: Console, readers: RunOutputs.Readers, isQuiet: Bool,
    clock: any ClusterClock
  ) {
    state = Mutex(State(weights: weights))
    self.words = words
    self.localSlots = localSlots
    self.scanTimeout = scanTimeout
    self.stopLimit = stopLimit
    self.console = console
    self.isQuiet = isQuiet
    hasPanel = console.canRedraw && readers.isEmpty && !isQuiet
    printsCompletions =
      !hasPanel && !isQuiet && !(console.isTerminal && readers.contains(.terminal))
    self.clock = clock
  }

  // MARK: Events

  func hear(_ update: EngagementUpdate) { show(update) }

  var isBehind: Bool { console.isBehind }
  func catchUp() async { await console.waitForRoom() }

  /// Prints the event's lines, and updates the panel's figures.
  private func show(_ update: EngagementUpdate) {
    if hasPanel { apply(update) }
    // These events come by the hundred thousand, and have no line but this one.
    switch update.event {
    case .handedOut(let handout):
      inFlight.add(1, ordering: .relaxed)
      if !handout.isHedge { return }
    case .completed(let result):
      inFlight.subtract(1, ordering: .relaxed)
      if printsCompletions { console.completed(result.sector, of: result.part, by: result.system) }
      return
    case .passCompleted:
      inFlight.subtract(1, ordering: .relaxed)
      return
    case .attemptEnded: inFlight.subtract(1, ordering: .relaxed)
    case .restored, .passRestored: return
    case .began: hasBegun.store(true, ordering: .relaxed)
    case .grew: state.withLock { $0.begunParts += 1 }
    case .failed(let failure), .restoredFailure(let failure):
      state.withLock { $0.failures.add(failure) }
    default: break
    }
    let (lines, isHolding) = state.withLock { state in
      let lines = state.lines.lines(for: update)
      // The panel counts those that are left out.
      let shown = hasPanel ? lines.compactMap { state.reruns.shown($0, for: update.event) } : lines
      return (shown, state.lines.isHolding)
    }
    print(lines)
    if isHolding { announceHeld.yield() }
  }

  private func apply(_ update: EngagementUpdate) {
    state.withLock { state in
      if state.origin == nil {
        state.origin = update.time.timeIntervalSince1970 - clock.now.sinceOrigin.inSeconds
      }
      state.waiting = nil
      state.run.apply(update)
    }
  }

  private func flushHeld() {
    print(state.withLock { $0.lines.flush() })
  }

  private func print(_ lines: [EventLines.Line]) {
    for line in lines where !isQuiet || line.isFault { console.event(line.styled) }
  }

  // MARK: Before and after

  /// The run waits for this many systems, and these are there.
  func waits(for wanted: Int, connected: [String], until deadline: Instant) {
    let waiting = Waiting(wanted: wanted, deadline: deadline, connected: connected)
    if hasPanel {
      state.withLock { $0.waiting = waiting }
    } else if connected.count < wanted, !isQuiet {
      console.line(waiting.line(at: clock.now))
    }
  }

  func stops(at signal: ExitCode) {
    state.withLock { state in
      state.isStopping = true
      state.lines.handsOutAgain = false
    }
    let line = StopLine.text(
      scans: max(0, inFlight.load(ordering: .relaxed)), limit: scanTimeout,
      runLimit: stopLimit, signal: signal, isBeforeStart: !hasBegun.load(ordering: .relaxed))
    console.line(StyledText(line, .doubtful))
  }

  /// The run ends at its limit after a first signal.
  func stopped() {
    let line = StopLine.text(unended: max(0, inFlight.load(ordering: .relaxed)), after: stopLimit)
    console.line(StyledText(line, .doubtful))
  }

  /// What a person looks for at the end, and would have to gather from the lines above: why sectors failed, and what
  /// was not begun.
  ///
  /// - Parameters:
  ///   - job: the run's.
  ///   - wasStopped: whether the run ended before its job.
  func endLines(of job: some Job, wasStopped: Bool) -> [String] {
    let (failures, begun) = state.withLock { ($0.failures.lines, $0.begunParts) }
    guard wasStopped, let job = job as? any GrowableJob else { return failures }
    return failures
      + [UnreadLine.text(expected: job.expectedParts, begun: begun, words)].compactMap(\.self)
  }

  // MARK: The panel

  func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    try await accompanied(by: { await self.draw() }, run)
  }

  /// Redraws the panel until cancelled, and then removes it.
  private func draw() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.console.run() }
      group.addTask {
        for await _ in self.held {
          try? await self.clock.sleep(
            until: self.clock.now + .seconds(EventLines.patience), tolerance: nil)
          self.flushHeld()
        }
      }
      guard hasPanel else { return }
      await console.showPanel(every: Self.interval, panel)
    }
    flushHeld()
  }

  private func panel(in window: WindowSize) -> [StyledText] {
    let now = clock.now
    // The view is read where it is: a copy would be copied as a whole at the next event.
    return state.withLock { state in
      if let waiting = state.waiting {
        return [StyledText(waiting.line(at: now).cutAtWord(to: window.columns))]
      }
      guard let origin = state.origin else { return [] }
      let view = EngageView(
        localSlots: localSlots, words: words, isStopping: state.isStopping)
      return view.lines(state.run, at: origin + now.sinceOrigin.inSeconds, in: window)
    }
  }
}

extension EventLines.Line {
  /// The line with its beginning, up to the reason, in the colour of its kind.
  fileprivate var styled: StyledText {
    let style: Style =
      switch kind {
      case .joined: .good
      case .gone: .doubtful
      case .gaveUp: .bad
      case .rerun, .trouble: isFault ? .doubtful : .plain
      }
    guard style != .plain, let end = text.firstIndex(of: ":") else {
      return StyledText(text, style)
    }
    return StyledText(String(text[..<end]), style) + StyledText(String(text[end...]))
  }
}
