import Logging
import SkyNetCore
import Synchronization

/// The queue before a system's slots. `ServingQueue` decides which call is next; this says which calls
/// its numbers stand for, and when they came. It starts and answers no call: its callers do what its
/// answers say.
final class AdmissionQueue: Sendable {
  enum Admission: Sendable {
    /// A slot is free, and is the call's.
    case start
    /// A later answer of ``leave(_:failed:)``, ``drain()`` or ``countOutIfHeld(_:)`` names the call.
    case wait
    case refuse(CallFailure)
  }

  /// What follows when a scan has left its slot.
  struct Departure: Sendable {
    /// The call that has the slot now, and how long it waited.
    var next: (call: ScanCall, waited: Duration)?
    /// Whether other clients had calls here too.
    var isShared = false
    /// Whether calls are taken again after there was no slot.
    var servesAgain = false
  }

  private struct Entry {
    let call: ScanCall
    let arrival: Instant
    var start: Instant?

    /// The call gets its slot. Returns how long it waited.
    mutating func begin(at now: Instant) -> Duration {
      start = now
      // It may have come after `now` was looked at, and before there was the lock.
      return max(.zero, arrival.duration(to: now))
    }
  }

  private struct State {
    var queue: ServingQueue
    var entries: [ServingQueue.CallID: Entry] = [:]
    var served = ServedCounts()
    var failed = 0

    mutating func remove(_ number: ServingQueue.CallID) -> ScanCall? {
      entries.removeValue(forKey: number)?.call
    }
  }

  private let state: Mutex<State>
  private let clock: any ClusterClock
  private let logger: Logger

  init(slots: Int, clock: any ClusterClock, logger: Logger) {
    state = Mutex(State(queue: ServingQueue(slots: slots)))
    self.clock = clock
    self.logger = logger
  }

  /// Has `ServingQueue` decide. What it refuses is a bug of this program: the log tells of it with the
  /// call's story, and nothing has changed.
  private func decide<Decision>(
    _ body: () throws(IllegalEvent) -> Decision
  ) -> Decision? {
    do throws(IllegalEvent) {
      return try body()
    } catch {
      logger.critical("an illegal event was refused", metadata: .skynet([.reason: "\(error)"]))
      return nil
    }
  }

  /// A call asks for a slot.
  func enter(_ call: ScanCall) -> Admission {
    let now = clock.now
    return state.withLock { state in
      let answer = decide { () throws(IllegalEvent) in
        try state.queue.arrived(
          call.number, from: call.context.client, isHedge: call.task.isHedge, at: now)
      }
      switch answer {
      case nil: return .refuse(CallFailure(.system, "the call has entered the queue already"))
      case .refuse:
        return .refuse(
          state.queue.isDraining ? CallFailure.draining : CallFailure.noSlotLeft)
      case .start:
        state.entries[call.number] = Entry(call: call, arrival: now, start: now)
        return .start
      case .wait:
        state.entries[call.number] = Entry(call: call, arrival: now)
        return .wait
      }
    }
  }

  /// The call's scan ended; its slot goes to the call that is next.
  ///
  /// - Parameter failed: whether it threw, and was not cancelled.
  func leave(_ call: ScanCall, failed: Bool) -> Departure {
    let now = clock.now
    return state.withLock { state in
      var departure = Departure(isShared: state.queue.isShared)
      if state.entries.removeValue(forKey: call.number) != nil {
        state.served.served(call.context.clientName)
        if failed { state.failed += 1 }
      }
      let wasExhausted = state.queue.isExhausted
      let next = decide { () throws(IllegalEvent) in
        try state.queue.ended(call.number, at: now)
      }
      departure.servesAgain =
        wasExhausted && !state.queue.isExhausted && !state.queue.isDraining
      if let next = next ?? nil, let waited = state.entries[next]?.begin(at: now) {
        departure.next = state.entries[next].map { ($0.call, waited) }
      }
      return departure
    }
  }

  /// The call is no longer wanted. Returns whether it was still waiting.
  func withdraw(_ call: ScanCall) -> Bool {
    state.withLock { state in
      guard let entry = state.entries[call.number], entry.start == nil else { return false }
      state.entries[call.number] = nil
      return decide { () throws(IllegalEvent) in
        try state.queue.withdrew(call.number, of: call.context.client)
        return true
      } ?? false
    }
  }

  /// Whether a call of another client than this one has no slot yet.
  func isWaitedFor(besides client: Incarnation) -> Bool {
    state.withLock { $0.queue.isWaitedFor(besides: client) }
  }

  /// Whether the call has no slot yet.
  func isWaiting(_ call: ScanCall) -> Bool {
    state.withLock { state in state.entries[call.number].map { $0.start == nil } ?? false }
  }

  /// How long the call's scan has run, if it holds its slot.
  func runningTime(of call: ScanCall) -> Duration? {
    let now = clock.now
    return state.withLock { $0.entries[call.number]?.start }?.duration(to: now)
  }

  /// The call's scan was cancelled some time ago. If it still holds its slot, that is counted out
  /// until it ends; when none is left, what waits is handed back, and nothing new is taken.
  ///
  /// - Returns: how many slots are left, if it holds its own, and the calls that are handed back.
  func countOutIfHeld(_ call: ScanCall) -> (slotsLeft: Int, handedBack: [ScanCall])? {
    state.withLock { state in
      guard state.entries[call.number] != nil else { return nil }
      let waiting = decide { () throws(IllegalEvent) in
        try state.queue.ignoresCancelling(call.number)
      }
      return (state.queue.slotsLeft, (waiting ?? []).compactMap { state.remove($0) })
    }
  }

  /// Takes nothing new from now on. Returns the calls that wait, which are handed back.
  func drain() -> [ScanCall] {
    state.withLock { state in state.queue.drain().compactMap { state.remove($0) } }
  }

  /// Whether calls are taken, at once or later.
  var isOpen: Bool { state.withLock { !$0.queue.isDraining && !$0.queue.isExhausted } }

  /// How many calls run or wait.
  var count: Int { state.withLock { $0.queue.runningCount + $0.queue.waitingCount } }

  var status: ServingStatus {
    let now = clock.now
    return state.withLock { state in
      var status = ServingStatus(
        slots: state.queue.slots, done: state.served.byName, failed: state.failed)
      for (number, entry) in state.entries.sorted(by: { $0.key < $1.key }) {
        if let start = entry.start {
          status.running.append(
            ServingStatus.Running(
              number: number, sector: entry.call.task.id.sector,
              client: entry.call.context.clientName,
              elapsed: start.duration(to: now)))
        } else {
          status.waiting[entry.call.context.clientName, default: 0] += 1
        }
      }
      return status
    }
  }
}
