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
    var failureLines = FailureLines()
    var completions = CompletionLines()
    /// Whether there is room above the panel for lines of completions.
    var hasRoom = false
    /// What the panel shows and the last words count; stays empty where nobody watches.
    var run: RunView
    /// The wall clock's time at the origin of `clock`, as the events have it.
    var origin: Double?
    var waiting: Waiting?
    var isStopping = false
    var failures = FailureGroups()
    /// How many parts a growing job has begun.
    var begunParts = 0

    /// Whether a line waits for others.
    var isHolding: Bool { lines.isHolding || failureLines.isHolding || completions.isHolding }

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
  /// How many rows above the panel are room for lines of completions.
  private static let roomyRows = 24

  private let console: Console
  private let hasPanel: Bool
  /// Whether a person watches, on a terminal that obeys: lines take one row each, and the last words follow.
  private let isWatched: Bool
  private let printsCompletions: Bool
  /// Whether only what is wrong has its line.
  private let isQuiet: Bool
  /// Whether a terminal gets the lines that a pipe gets, each whole.
  private let isVerbose: Bool
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
    isVerbose: Bool = false, clock: any ClusterClock
  ) {
    state = Mutex(State(weights: weights))
    self.words = words
    self.localSlots = localSlots
    self.scanTimeout = scanTimeout
    self.stopLimit = stopLimit
    self.console = console
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    isWatched = console.canRedraw && !isQuiet
    hasPanel = isWatched && readers.isEmpty
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
    if isWatched { apply(update) }
    // These events come by the hundred thousand, and have no line but this one.
    switch update.event {
    case .handedOut(let handout):
      inFlight.add(1, ordering: .relaxed)
      if !handout.isHedge { return }
    case .completed(let result):
      inFlight.subtract(1, ordering: .relaxed)
      if printsCompletions {
        console.completed(result.sector, of: result.part, by: result.system)
      } else if hasPanel {
        showAbovePanel(result)
      }
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
      guard gathersFailures, !lines.isEmpty else { return (lines, state.isHolding) }
      let now = clock.now.sinceOrigin.inSeconds
      return (lines.compactMap { state.failureLines.add($0, at: now) }, state.isHolding)
    }
    print(lines)
    if isHolding { announceHeld.yield() }
  }

  /// Whether failures of one reason share a line.
  private var gathersFailures: Bool { isWatched && !isVerbose }

  /// Prints a completed sector above the panel, if there is room or the user wants to see them, and there are not too
  /// many.
  private func showAbovePanel(_ result: SectorResult) {
    let now = clock.now.sinceOrigin.inSeconds
    let (isShown, isHolding) = state.withLock { state in
      guard isVerbose || state.hasRoom else { return (false, false) }
      return (state.completions.shows(at: now), state.completions.isHolding)
    }
    if isShown {
      let place = EventText.sector(result.sector, of: result.part)
      printInOneRow(StyledText("completed \(place) by \(result.system)", .faint))
    } else if isHolding {
      announceHeld.yield()
    }
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

  /// Prints the lines that were held back: all of them at the end, and before it those that have waited long enough.
  private func printHeld(atEnd: Bool = false) {
    let now = clock.now.sinceOrigin.inSeconds
    let (lines, others) = state.withLock { state in
      let lost = state.lines.flush()
      let failures = atEnd ? state.failureLines.flush() : state.failureLines.due(at: now)
      return (
        lost + failures, atEnd ? state.completions.flush() : state.completions.due(at: now)
      )
    }
    print(lines)
    if let others { printInOneRow(StyledText(others, .faint)) }
  }

  private func print(_ lines: [EventLines.Line]) {
    for line in lines where !isQuiet || line.isFault {
      // What a person may do stands at the end of a line.
      if isWatched, line.kind != .advice {
        printInOneRow(line.styled)
      } else {
        console.event(line.styled)
      }
    }
  }

  /// Prints a line that takes one row, unless the user wants all of it.
  private func printInOneRow(_ line: StyledText) {
    console.line(
      isVerbose ? line : line.shown.cut(to: console.window.columns, ellipsis: "…".shown))
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

  /// What a person reads last on a terminal, and what may be done next; nothing where nobody watches.
  ///
  /// - Parameters:
  ///   - wasStopped: whether a signal ended the run before its job.
  ///   - next: what may be done next. It is said once on this machine.
  func lastWords(_ outcome: RunOutcome, wasStopped: Bool, next: NextStep) -> [StyledText] {
    guard isWatched else { return [] }
    let columns = console.window.columns
    let line = state.withLock { state in
      LastWords(
        run: state.run, tally: outcome.tally, words: self.words, localSlots: localSlots,
        wasStopped: wasStopped, hasFailed: outcome.hasFailed
      ).line(columns: columns)
    }
    return [line]
      + (ToldTips().isNew(next.name) ? [StyledText(next.text(columns: columns), .faint)] : [])
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
          repeat {
            try? await self.clock.sleep(
              until: self.clock.now + .seconds(EventLines.patience), tolerance: nil)
            self.printHeld()
          } while !Task.isCancelled && self.state.withLock { $0.isHolding }
        }
      }
      guard hasPanel else { return }
      await console.showPanel(every: Self.interval, panel)
    }
    printHeld(atEnd: true)
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
      let lines = view.lines(state.run, at: origin + now.sinceOrigin.inSeconds, in: window)
      state.hasRoom = window.rows - lines.count >= Self.roomyRows
      return lines
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
      case .rerun, .trouble, .advice: isFault ? .doubtful : .plain
      }
    guard style != .plain, let end = text.firstIndex(of: ":") else {
      return StyledText(text, style)
    }
    return StyledText(String(text[..<end]), style) + StyledText(String(text[end...]))
  }
}
