import SkyNetCore

/// A deciding struct as its driver sees it: each event returns an answer.
protocol Decisions {
  associatedtype Event
  associatedtype Answer

  mutating func handle(_ event: Event) -> Answer
  /// How many items an answer has, so that two answers can be compared cheaply.
  static func size(of answer: Answer) -> Int
}

struct EngagementDecisions: Decisions {
  enum Kind {
    case began([TaskRange], systems: Int)
    case slotsGranted([Slot])
    case slotGranted(Slot, TaskID)
    case idleSlotGranted(Slot)
    case started(Attempt.ID, Instant)
    case ended(Attempt.ID, AttemptOutcome)
    case received
    case woke(systems: Int)
  }

  struct Event {
    let kind: Kind
    let time: Instant
  }

  private var engagement = Engagement(settings: EngagementSettings())

  mutating func handle(_ event: Event) -> [EngagementAction] {
    let now = event.time
    return switch event.kind {
    case .began(let tasks, let count): engagement.began(tasks, systems: count, at: now)
    case .slotsGranted(let slots): engagement.slotsGranted(slots, at: now)
    case .slotGranted(let slot, let task): engagement.slotGranted(slot, for: task, at: now)
    case .idleSlotGranted(let slot): engagement.idleSlotGranted(slot, at: now)
    case .started(let id, let start): engagement.attemptStarted(id, start: start, at: now)
    case .ended(let id, let outcome): engagement.attemptEnded(id, outcome, at: now)
    case .received: engagement.received([], at: now)
    case .woke(let count): engagement.woke(systems: count, at: now)
    }
  }

  static func size(of actions: [EngagementAction]) -> Int { actions.count }
}

struct RosterDecisions: Decisions {
  enum Event {
    case joined(Roster.Member)
    case requested(SlotRequest)
    case withdrew(SlotRequest.ID)
    case released(Slot, SlotReturn, Instant)
    case woke(Instant)
  }

  struct Answer {
    let grants: [Roster.Grant]
    /// The roster's owner reads it after each event.
    let nextWake: Instant?
  }

  private var roster = Roster()

  mutating func handle(_ event: Event) -> Answer {
    let grants: [Roster.Grant]
    switch event {
    case .joined(let member): grants = roster.joined(member, at: Instant())
    case .requested(let request): grants = roster.requested(request)
    case .withdrew(let request):
      roster.withdrew(request)
      grants = []
    case .released(let slot, let report, let now):
      do throws(IllegalEvent) {
        grants = try roster.released(slot, report, at: now)
      } catch {
        preconditionFailure("\(error)")
      }
    case .woke(let now): grants = roster.woke(at: now)
    }
    return Answer(grants: grants, nextWake: roster.nextWake)
  }

  static func size(of answer: Answer) -> Int {
    answer.grants.reduce(0) { $0 + $1.slots.count } + (answer.nextWake == nil ? 0 : 1)
  }
}
