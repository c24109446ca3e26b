import Foundation

@testable import SkyNetCore

/// A system on which tests hand out slots.
struct TestSystem {
  let id = Incarnation()
  let name: String

  init(_ name: String) {
    self.name = name
  }

  func slot(_ number: UInt64 = 1) -> Slot {
    Slot(number: number, system: id, name: name)
  }

  func slots(_ numbers: ClosedRange<UInt64>) -> [Slot] { numbers.map { slot($0) } }

  func member(
    slots: Int, scans: [ScanKind] = [.survey], isLocal: Bool = false, place: Place? = nil
  ) -> Roster.Member {
    Roster.Member(
      id: id, name: name, slots: slots, scans: scans, isLocal: isLocal, place: place)
  }
}

extension ScanKind {
  static let survey = ScanKind(name: "survey", version: 1)
}

extension Instant {
  static func at(_ seconds: Double) -> Instant { Instant(sinceOrigin: .seconds(seconds)) }
}

extension TaskID {
  /// A task of the first pass.
  static func sector(_ number: Int) -> TaskID { TaskID(sector: number) }
}

extension AttemptOutcome {
  static func threw(_ message: String = "no stars", seconds: Double = 0) -> AttemptOutcome {
    .failed(reason: message, seconds: seconds)
  }

  static let unmendable = AttemptOutcome.failed(reason: "column 7 is missing", code: .unmendable)
  static let unsuited = AttemptOutcome.withdrawn(reason: "has no /data")
  static let lostWhileRunning = AttemptOutcome.lost(reason: "cable cut", hadStarted: true)
  static let lostWhileQueued = AttemptOutcome.lost(reason: "cable cut", hadStarted: false)
}

extension [EngagementAction] {
  /// The refused event, if there is one.
  var refused: IllegalEvent? {
    if case .refuse(let illegal)? = first, count == 1 { illegal } else { nil }
  }

  var begun: [Attempt] {
    compactMap { if case .begin(let attempt) = $0 { attempt } else { nil } }
  }

  /// The actions that concern tasks: without those for time, idle slots and the journal.
  var aboutTasks: [EngagementAction] {
    filter {
      switch $0 {
      case .wake, .reportStart, .ended, .requestIdleSlot, .withdrawIdleSlot, .stalled,
        .waitForSystem:
        false
      default: true
      }
    }
  }

  var wakes: [Instant] {
    compactMap { if case .wake(let instant) = $0 { instant } else { nil } }
  }

  var cancelled: [Attempt] {
    compactMap { if case .cancel(let attempt) = $0 { attempt } else { nil } }
  }

  /// For each request for an idle slot, the systems that it excludes.
  var idleSlotRequests: [[Incarnation]] {
    compactMap { if case .requestIdleSlot(let excluded) = $0 { excluded } else { nil } }
  }

  var endings: [AttemptOutcome] {
    compactMap { if case .ended(_, let ending) = $0 { ending } else { nil } }
  }

  var abandoned: [TaskID] {
    compactMap { if case .abandon(let task, _) = $0 { task } else { nil } }
  }

  var givenUp: [TaskID] {
    compactMap { if case .giveUp(let task, _) = $0 { task } else { nil } }
  }

  var stories: [TaskStory] {
    compactMap {
      switch $0 {
      case .giveUp(_, let story), .abandon(_, let story): story
      default: nil
      }
    }
  }

  /// For each request for a retry, the systems that it avoids.
  var avoided: [[Incarnation]] {
    compactMap { if case .requestSlot(_, let avoiding, _) = $0 { avoiding } else { nil } }
  }
}

extension Engagement {
  /// An engagement that has handed out its first tasks, one to each slot.
  static func handedOut(
    _ sectors: Int, to slots: [Slot], settings: EngagementSettings = EngagementSettings(),
    ownSystem: Incarnation? = nil
  ) -> (Engagement, [Attempt]) {
    var engagement = Engagement(settings: settings)
    _ = engagement.began(
      [TaskRange(sectors: 0..<sectors)], systems: 1, ownSystem: ownSystem, at: .at(0))
    let attempts = engagement.slotsGranted(slots, at: .at(0)).begun
    return (engagement, attempts)
  }

  /// An attempt's scan started just now.
  mutating func attemptStarted(_ id: Attempt.ID, at now: Instant) -> [EngagementAction] {
    attemptStarted(id, start: now, at: now)
  }

  /// The actions concerning tasks after an output was taken.
  mutating func received(_ added: [TaskRange]) -> [EngagementAction] {
    received(added, at: .at(1)).aboutTasks
  }

  /// Wakes the engagement at each instant that it requests, until it requests no more.
  mutating func wakeUntilQuiet(_ wakes: [Instant]) -> [EngagementAction] {
    var (wakes, all): ([Instant], [EngagementAction]) = (wakes, [])
    while let next = wakes.min() {
      wakes.removeAll { $0 == next }
      let actions = woke(at: next)
      all += actions
      wakes += actions.wakes
    }
    return all
  }

  /// Fails the same task this many times, each time on another slot of this system.
  mutating func fail(
    _ attempt: Attempt, times: Int, on system: TestSystem, _ outcome: AttemptOutcome
  ) -> [EngagementAction] {
    var current = attempt
    for time in 1..<max(times, 1) {
      _ = attemptEnded(current.id, outcome, at: .at(0))
      let slot = system.slot(1000 + UInt64(time))
      guard let next = slotGranted(slot, for: attempt.task, at: .at(0)).begun.first else {
        return []
      }
      current = next
    }
    return attemptEnded(current.id, outcome, at: .at(0))
  }
}

func utf8(_ text: String) -> Data { Data(text.utf8) }
