import Logging
import SkyNetCore
import Synchronization

/// The queue in front of a system's slots.
///
/// `ServingQueue` decides which call is next, and knows calls by their numbers. The admission queue keeps the
/// calls of these numbers, with their times of arrival and start. It neither starts nor answers a call: it
/// returns what ``ScanSystem`` has to do.
final class AdmissionQueue: Sendable {
  enum Admission: Sendable {
    /// The call has got a free slot.
    case start
    /// The call waits. ``leave(_:failed:)``, ``drain(_:)`` or ``writeOffSlotIfHeld(by:)`` will return it.
    case wait
    case refuse(CallFailure)
  }

  /// What follows from the end of a scan.
  struct Departure: Sendable {
    /// The call that has got the slot, and how long it waited.
    var next: (call: ScanCall, waited: Duration)?
    /// Whether calls of other clients ran or waited too.
    var isShared = false
    /// Whether the queue takes calls again, after no slot was left.
    var resumesService = false
    /// Waiting calls that would take longer than the process lives. They go back to their senders.
    var handedBack: [ScanCall] = []
  }

  private struct Entry {
    let call: ScanCall
    let arrival: Instant
    var start: Instant?

    /// Notes that the call has got its slot. Returns how long it waited.
    mutating func begin(at now: Instant) -> Duration {
      start = now
      // The call may have arrived after the caller read `now`, and before the caller had the lock.
      return max(.zero, arrival.duration(to: now))
    }
  }

  private struct State {
    var queue: ServingQueue
    var entries: [ServingQueue.CallID: Entry] = [:]
    var served = ServedCounts()
    var failed = 0
    /// Decides what may still start, if the process has to be gone at a given time.
    var lifetime: Lifetime?
    /// When the queue became empty; `nil` while calls run or wait.
    var idleSince: Instant?

    /// Whether a call may start, and would usually be answered before the process has to be gone.
    func mayStart(_ call: ScanCall, at now: Instant) -> Bool {
      guard let lifetime else { return true }
      let sort = call.task.sort
      return lifetime.mayStart(sort, longestRunning: longestRunning(sort, at: now), at: now)
    }

    private func longestRunning(_ sort: Lifetime.Work, at now: Instant) -> Duration {
      let starts = entries.values.lazy.filter { $0.call.task.sort == sort }.compactMap(\.start)
      return starts.min()?.duration(to: now) ?? .zero
    }

    mutating func remove(_ number: ServingQueue.CallID) -> ScanCall? {
      entries.removeValue(forKey: number)?.call
    }
  }

  private let state: Mutex<State>
  private let clock: any ClusterClock
  private let logger: Logger

  init(slots: Int, lifetime: Lifetime?, clock: any ClusterClock, logger: Logger) {
    state = Mutex(
      State(queue: ServingQueue(slots: slots), lifetime: lifetime, idleSince: clock.now))
    self.clock = clock
    self.logger = logger
  }

  /// Has `ServingQueue` decide. An event that it refuses as illegal is a bug in this program, and changes
  /// nothing: it is logged with the last transitions of the call.
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
      if !state.mayStart(call, at: now) { return .refuse(CallFailure.outlivesSystem) }
      let answer = decide { () throws(IllegalEvent) in
        try state.queue.arrived(
          call.number, from: call.context.client, isHedge: call.task.isHedge, at: now)
      }
      switch answer {
      case nil: return .refuse(CallFailure(.system, "the call has entered the queue already"))
      case .refuse:
        return .refuse(state.queue.drainReason.map(CallFailure.draining) ?? .noSlotLeft)
      case .start:
        state.idleSince = nil
        state.entries[call.number] = Entry(call: call, arrival: now, start: now)
        return .start
      case .wait:
        state.entries[call.number] = Entry(call: call, arrival: now)
        return .wait
      }
    }
  }

  /// The call's scan has ended, and its slot goes to the next call.
  ///
  /// - Parameters:
  ///   - failed: whether the scan threw an error, and was not cancelled.
  ///   - length: how long the scan took, if it was completed.
  func leave(
    _ call: ScanCall, failed: Bool, length: Duration?, isCounted: Bool = true
  ) -> Departure {
    let now = clock.now
    return state.withLock { state in
      var departure = Departure(isShared: state.queue.isShared)
      if state.entries.removeValue(forKey: call.number) != nil, isCounted {
        state.served.served(call.context.clientName)
        if failed { state.failed += 1 }
      }
      let wasExhausted = state.queue.isExhausted
      if let length { state.lifetime?.scanned(call.task.sort, in: length) }
      var next = decide { () throws(IllegalEvent) in
        try state.queue.ended(call.number, at: now)
      }
      while let number = next ?? nil, let waiting = state.entries[number]?.call,
        !state.mayStart(waiting, at: now)
      {
        state.entries[number] = nil
        departure.handedBack.append(waiting)
        next = decide { () throws(IllegalEvent) in try state.queue.ended(number, at: now) }
      }
      departure.resumesService =
        wasExhausted && !state.queue.isExhausted && !state.queue.isDraining
      if let next = next ?? nil, let waited = state.entries[next]?.begin(at: now) {
        departure.next = state.entries[next].map { ($0.call, waited) }
      }
      if state.entries.isEmpty { state.idleSince = now }
      return departure
    }
  }

  /// Removes a call that waits, as its caller no longer wants it. Returns whether the call was waiting.
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

  /// Whether a call of another client than this one waits for a slot.
  func hasWaitingCall(besides client: Incarnation) -> Bool {
    state.withLock { $0.queue.hasWaitingCall(besides: client) }
  }

  /// Whether the call waits for a slot.
  func isWaiting(_ call: ScanCall) -> Bool {
    state.withLock { state in state.entries[call.number].map { $0.start == nil } ?? false }
  }

  /// How long the call's scan has run; `nil` unless the call holds a slot.
  func runningTime(of call: ScanCall) -> Duration? {
    let now = clock.now
    return state.withLock { $0.entries[call.number]?.start }?.duration(to: now)
  }

  /// Writes off the slot of a call whose scan was cancelled some time ago, if the scan still holds it. The slot
  /// counts again when the scan ends. When no slot is left, all waiting calls are handed back, and the queue
  /// takes no new ones.
  ///
  /// - Returns: how many slots are left, and the calls to hand back; `nil` if the scan has ended.
  func writeOffSlotIfHeld(by call: ScanCall) -> (slotsLeft: Int, handedBack: [ScanCall])? {
    state.withLock { state in
      guard state.entries[call.number] != nil else { return nil }
      let waiting = decide { () throws(IllegalEvent) in
        try state.queue.ignoresCancelling(call.number)
      }
      return (state.queue.slotsLeft, (waiting ?? []).compactMap { state.remove($0) })
    }
  }

  /// Takes no new calls from now on. Returns the waiting calls, which the caller has to hand back.
  func drain(_ reason: DrainReason) -> [ScanCall] {
    state.withLock { state in state.queue.drain(reason).compactMap { state.remove($0) } }
  }

  /// Takes new calls again, if a client had asked to take none. Returns whether that has changed anything.
  func undrain() -> Bool { state.withLock { $0.queue.undrain() } }

  /// Whether the queue takes new calls.
  var isOpen: Bool { state.withLock { !$0.queue.isDraining && !$0.queue.isExhausted } }

  /// Why the queue takes no new calls; `nil` while it takes them, or has only no slot left.
  var drainReason: DrainReason? { state.withLock { $0.queue.drainReason } }

  /// How many calls run or wait.
  var count: Int { state.withLock { $0.queue.runningCount + $0.queue.waitingCount } }

  /// When the process has to stop taking work, as far as is known now; `nil` if it has no end.
  var lifetimeDeparture: Instant? { state.withLock { $0.lifetime?.departure } }

  /// When the scans that run have to be given up, so that the process is gone in time; `nil` if it has no end.
  var lifetimeDeadline: Instant? { state.withLock { $0.lifetime?.deadline } }

  /// Since when no call has run or waited; `nil` while one does.
  var idleSince: Instant? { state.withLock { $0.idleSince } }

  var status: ServingStatus {
    let now = clock.now
    return state.withLock { state in
      var status = ServingStatus(
        slots: state.queue.slots, done: state.served.byName, failed: state.failed,
        drainReason: state.queue.drainReason)
      for (number, entry) in state.entries.sorted(by: { $0.key < $1.key }) {
        if let start = entry.start {
          status.running.append(
            ServingStatus.Running(
              number: number, task: entry.call.task.id, run: entry.call.task.run,
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

extension ScanTask {
  /// The sort of work that the task is, whose tasks take about as long.
  fileprivate var sort: Lifetime.Work { Lifetime.Work(kind, pass: id.pass, run: run) }
}
