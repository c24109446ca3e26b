package import SkyNetCluster
import SkyNetCore

/// A run's events as the lines that stay on a terminal or go to a pipe.
///
/// Most events have their line at once (``EventText``). A system that is gone has one line for all the
/// attempts that were lost with it, and these end one after the other, some before their system's end is
/// told and some after it. So such a line is held back until all of them are known, or until ``flush()``.
package struct EventLines: Sendable {
  package struct Line: Hashable, Sendable {
    package let text: String
    package let kind: Kind
    /// Whether something was given up, died, or needs a person.
    package let isFault: Bool
    /// The failed attempt or sector that the line is about, if it is about one.
    let failure: FailureNotice?

    init(_ text: String, _ kind: Kind, isFault: Bool = true, failure: FailureNotice? = nil) {
      self.text = text
      self.kind = kind
      self.isFault = isFault
      self.failure = failure
    }
  }

  /// What a line is about, for views that show that by a colour.
  package enum Kind: Hashable, Sendable {
    case joined, gone, rerun, gaveUp, trouble
    /// It says what a person may do, at its end.
    case advice
  }

  /// A system that is gone, or seems to be: what is known of its end.
  private struct End {
    /// The reason and the number of attempts that have not ended yet; `nil` until its end was told.
    var told: (reason: String, left: Int)?
    var lost: [TaskID] = []
    /// Why the first of these was lost.
    var lossReason = ""
    let areHandedOut: Bool
  }

  /// How long a line is held back for the attempts that were lost with its system, in seconds.
  package static let patience = 0.3

  /// Whether lost sectors are handed out again. They are not once a run stops.
  package var handsOutAgain = true
  private var ends: [String: End] = [:]
  /// The task of the attempt that was lost last.
  private var lastLost: (task: TaskID, system: String)?
  /// The tasks with two attempts in flight. If one is lost, the other goes on.
  private var hedged: Set<TaskID> = []

  package init() {}

  /// Whether a line is held back.
  package var isHolding: Bool { !ends.isEmpty }

  /// The lines that an event adds.
  package mutating func lines(for update: EngagementUpdate) -> [Line] {
    guard update.event.mayHaveLines else { return [] }
    if let lastLost, !update.event.isAbout(lastLost.task) {
      // The task was neither given up nor counted as failed.
      let held = flush(lastLost.system, ifComplete: true)
      self.lastLost = nil
      return held + newLines(for: update)
    }
    return newLines(for: update)
  }

  private mutating func newLines(for update: EngagementUpdate) -> [Line] {
    switch update.event {
    case .handedOut(let handout):
      if handout.isHedge { hedged.insert(handout.task) }
      return []
    case .attemptEnded(let handout, let ending, let reason):
      return attemptEnded(handout, ending, reason)
    case .disconnected(let system, let reason):
      ends[system.name, default: End(areHandedOut: handsOutAgain)].told = (
        reason, max(0, update.tally.inFlight[system.name] ?? 0)
      )
      return flush(system.name, ifComplete: true)
    case .retried(let task, let failure):
      // The line of the system that is gone names the sector.
      if let lastLost, lastLost == (task, failure.system) {
        return flush(lastLost.system, ifComplete: true)
      }
      return text(update, .rerun, FailureNotice(task.sector, of: update.part, failure))
    case .failed(let failure):
      return forget(TaskID(pass: failure.pass, sector: failure.sector))
        + text(update, .gaveUp, FailureNotice(failure))
    case .restoredFailure(let failure): return text(update, .gaveUp, FailureNotice(failure))
    case .connected, .renamed: return text(update, .joined)
    case .finished: return flush()
    case .waitingForSystem, .stalled: return text(update, .advice)
    default: return text(update, .trouble)
    }
  }

  private func text(
    _ update: EngagementUpdate, _ kind: Kind, _ failure: FailureNotice? = nil
  ) -> [Line] {
    EventText.text(update.event, of: update.part)
      .map { [Line($0, kind, isFault: update.event.isFault, failure: failure)] } ?? []
  }

  private mutating func attemptEnded(
    _ handout: EngagementEvent.Handout, _ ending: EngagementEvent.Ending, _ reason: String
  ) -> [Line] {
    let hasRival = hedged.remove(handout.task) != nil
    guard ending == .lost else {
      ends[handout.system]?.told?.left -= 1
      return flush(handout.system, ifComplete: true)
    }
    var end = ends[handout.system] ?? End(areHandedOut: handsOutAgain)
    end.told?.left -= 1
    if end.lossReason.isEmpty { end.lossReason = reason }
    if !hasRival { end.lost.append(handout.task) }
    ends[handout.system] = end
    lastLost = (handout.task, handout.system)
    // The next event tells whether the task is given up.
    return []
  }

  /// A task that was given up is not handed out again.
  private mutating func forget(_ task: TaskID) -> [Line] {
    guard let lastLost, lastLost.task == task else { return [] }
    ends[lastLost.system]?.lost.removeAll { $0 == task }
    return flush(lastLost.system, ifComplete: true)
  }

  private mutating func flush(_ system: String, ifComplete: Bool) -> [Line] {
    guard let end = ends[system] else { return [] }
    if ifComplete, end.told.map({ $0.left > 0 }) ?? true { return [] }
    ends[system] = nil
    return line(system, end).map { [$0] } ?? []
  }

  private func line(_ system: String, _ end: End) -> Line? {
    let lost = EventText.lost(end.lost.map(\.sector), areHandedOut: end.areHandedOut)
    if let told = end.told {
      return Line(EventText.disconnected(system, told.reason) + lost, .gone)
    }
    return lost.isEmpty ? nil : Line("lost on \(system): \(end.lossReason)\(lost)", .gone)
  }

  /// The lines that were held back.
  package mutating func flush() -> [Line] {
    defer { lastLost = nil }
    return ends.keys.sorted().flatMap { flush($0, ifComplete: false) }
  }
}

extension EngagementEvent {
  /// Whether the event can have a line, or matters to a line that is held back. Most events come by the hundred
  /// thousand, and cannot.
  fileprivate var mayHaveLines: Bool {
    switch self {
    case .handedOut(let handout): handout.isHedge
    case .passCompleted, .completed, .restored, .passRestored: false
    default: true
    }
  }

  /// Whether the event says what becomes of a task whose attempt has failed.
  fileprivate func isAbout(_ failed: TaskID) -> Bool {
    switch self {
    case .retried(let task, _): task == failed
    case .failed(let failure): TaskID(pass: failure.pass, sector: failure.sector) == failed
    default: false
    }
  }
}
