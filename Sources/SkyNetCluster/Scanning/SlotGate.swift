import SkyNetCore
import Synchronization

/// The way to a system's slots: calls wait here until `ServingQueue` lets them in.
///
/// A call is let in by the thread that frees the slot, so that its scan can begin there and then.
final class SlotGate: Sendable {
  typealias Ticket = ServingQueue.CallID
  /// Told once that a call has its slot, and how long it waited; or why it gets none.
  typealias Admit = @Sendable (Ticket, Result<Duration, CallFailure>) -> Void

  private struct Entry {
    let context: CallContext
    let task: TaskID
    let arrival: Instant
    var start: Instant?
    /// Until it was called.
    var admit: Admit?

    /// It is its turn. Returns whom to tell, and how long it waited.
    mutating func begin(
      _ ticket: Ticket, at now: Instant
    ) -> (ticket: Ticket, admit: Admit?, waited: Duration) {
      start = now
      defer { admit = nil }
      // It may have come after `now` was looked at, and before there was the lock.
      return (ticket, admit, max(.zero, arrival.duration(to: now)))
    }
  }

  private struct State {
    var queue: ServingQueue
    var entries: [Ticket: Entry] = [:]
    var nextTicket: Ticket = 0
    var served = ServedCounts()
  }

  private let state: Mutex<State>
  private let clock: any ClusterClock

  init(slots: Int, clock: any ClusterClock) {
    state = Mutex(State(queue: ServingQueue(slots: slots)))
    self.clock = clock
  }

  /// Asks for a slot.
  ///
  /// - Parameter admit: called at once if a slot is free or the system takes nothing new, else by
  ///   whoever ends the wait. Never called if ``withdraw(_:)`` comes first.
  /// - Returns: what to ``withdraw(_:)`` with.
  func enter(
    _ task: TaskID, isHedge: Bool = false, context: CallContext, admit: @escaping Admit
  ) -> Ticket {
    let now = clock.now
    let (ticket, answer, isDraining) = state.withLock { state in
      state.nextTicket += 1
      let ticket = state.nextTicket
      let answer: ServingQueue.Arrival
      do throws(IllegalEvent) {
        answer = try state.queue.arrived(
          ticket, from: context.client, isHedge: isHedge, at: now)
      } catch {
        preconditionFailure("\(error)")
      }
      if answer != .refuse {
        let starts = answer == .start
        state.entries[ticket] = Entry(
          context: context, task: task, arrival: now, start: starts ? now : nil,
          admit: starts ? nil : admit)
      }
      return (ticket, answer, state.queue.isDraining)
    }
    switch answer {
    case .refuse: admit(ticket, .failure(isDraining ? .draining : .noSlotLeft))
    case .start: admit(ticket, .success(.zero))
    case .wait: break
    }
    return ticket
  }

  /// The scan ended; the slot goes to whoever is next. Returns whether others had calls here too, and
  /// whether calls are taken again after there was no slot.
  func leave(
    _ ticket: Ticket
  ) throws(IllegalEvent) -> (isShared: Bool, servesAgain: Bool) {
    let now = clock.now
    var isShared = false
    var servesAgain = false
    let next = try state.withLock {
      state throws(IllegalEvent) -> (ticket: Ticket, admit: Admit?, waited: Duration)? in
      isShared = state.queue.isShared
      if let entry = state.entries.removeValue(forKey: ticket) {
        state.served.served(entry.context.clientName)
      }
      let wasExhausted = state.queue.isExhausted
      let next = try state.queue.ended(ticket, at: now)
      servesAgain = wasExhausted && !state.queue.isExhausted && !state.queue.isDraining
      guard let next else { return nil }
      return state.entries[next]?.begin(next, at: now)
    }
    if let next { next.admit?(next.ticket, .success(next.waited)) }
    return (isShared, servesAgain)
  }

  /// The call is no longer wanted. Returns whether it was still waiting.
  func withdraw(_ ticket: Ticket) throws(IllegalEvent) -> Bool {
    try state.withLock { state throws(IllegalEvent) in
      guard let entry = state.entries[ticket], entry.start == nil else { return false }
      try state.queue.withdrew(ticket, of: entry.context.client)
      state.entries[ticket] = nil
      return true
    }
  }

  /// Whether a call of another client than this one has no slot yet.
  func isWaitedFor(besides client: Incarnation) -> Bool {
    state.withLock { $0.queue.isWaitedFor(besides: client) }
  }

  /// Whether the ticket's call has no slot yet.
  func isWaiting(_ ticket: Ticket) -> Bool {
    state.withLock { state in state.entries[ticket].map { $0.start == nil } ?? false }
  }

  /// How long the ticket's scan has run, if it holds its slot.
  func runningTime(_ ticket: Ticket) -> Duration? {
    let now = clock.now
    return state.withLock { $0.entries[ticket]?.start }?.duration(to: now)
  }

  /// The ticket's scan was cancelled some time ago. If it still holds its slot, that is counted out
  /// until it ends; when none is left, what waits is handed back, and nothing new is taken.
  ///
  /// - Returns: how many slots are left, if it holds its own.
  func countOutIfHeld(_ ticket: Ticket) throws(IllegalEvent) -> Int? {
    let held = try state.withLock {
      state throws(IllegalEvent) -> (left: Int, waiting: [(Ticket, Admit?)])? in
      guard state.entries[ticket] != nil else { return nil }
      let waiting = try state.queue.ignoresCancelling(ticket).map { call in
        (call, state.entries.removeValue(forKey: call)?.admit)
      }
      return (state.queue.slotsLeft, waiting)
    }
    for (ticket, admit) in held?.waiting ?? [] { admit?(ticket, .failure(.noSlotLeft)) }
    return held?.left
  }

  /// Takes nothing new, and hands back what waits.
  func drain() {
    let waiting = state.withLock { state in
      state.queue.drain().map { ($0, state.entries.removeValue(forKey: $0)?.admit) }
    }
    for (ticket, admit) in waiting { admit?(ticket, .failure(.draining)) }
  }

  /// Whether calls are taken, at once or later.
  var isOpen: Bool { state.withLock { !$0.queue.isDraining && !$0.queue.isExhausted } }

  /// How many calls run or wait.
  var count: Int { state.withLock { $0.queue.runningCount + $0.queue.waitingCount } }

  var status: ServingStatus {
    let now = clock.now
    return state.withLock { state in
      var status = ServingStatus(slots: state.queue.slots, done: state.served.byName)
      for (ticket, entry) in state.entries.sorted(by: { $0.key < $1.key }) {
        if let start = entry.start {
          status.running.append(
            ServingStatus.Running(
              number: ticket, sector: entry.task.sector, client: entry.context.clientName,
              elapsed: start.duration(to: now)))
        } else {
          status.waiting[entry.context.clientName, default: 0] += 1
        }
      }
      return status
    }
  }
}

extension CallFailure {
  static let draining = CallFailure(.draining, "the system is shutting down")
  static let noSlotLeft = CallFailure(
    .draining, "scans that ignore being cancelled hold all of the system's slots")
}
