import Foundation

@testable import SkyNetCore

/// A system that tests hand slots out on.
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
    slots: Int, scans: [ScanKind] = [.survey], isLocal: Bool = false
  ) -> Roster.Member {
    Roster.Member(id: id, name: name, slots: slots, scans: scans, isLocal: isLocal)
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
    .failed(CallFailure(.task, message, seconds: seconds))
  }

  static let lostWhileRunning = AttemptOutcome.lost(reason: "cable cut", hadStarted: true)
  static let lostWhileQueued = AttemptOutcome.lost(reason: "cable cut", hadStarted: false)
}

extension [EngagementAction] {
  var begun: [Attempt] {
    compactMap { if case .begin(let attempt) = $0 { attempt } else { nil } }
  }

  var givenUp: [TaskID] {
    compactMap { if case .giveUp(let task, _) = $0 { task } else { nil } }
  }

  var stories: [TaskStory] {
    compactMap { if case .giveUp(_, let story) = $0 { story } else { nil } }
  }

  /// For each slot asked for again, the systems not to have it from.
  var avoided: [[Incarnation]] {
    compactMap { if case .requestSlot(_, let avoiding) = $0 { avoiding } else { nil } }
  }
}

extension Engagement {
  /// An engagement that has handed out its first tasks, one to each slot.
  static func handedOut(
    _ sectors: Int, to slots: [Slot], settings: EngagementSettings = EngagementSettings()
  ) -> (Engagement, [Attempt]) {
    var engagement = Engagement(settings: settings)
    _ = engagement.began([TaskRange(sectors: 0..<sectors)], systems: 1, at: .at(0))
    let attempts = engagement.slotsGranted(slots, at: .at(0)).begun
    return (engagement, attempts)
  }

  /// Lets the same task fail time and again, each time on a slot of its own on this system.
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
