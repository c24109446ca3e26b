import Logging
import SkyNetCore

/// The queue in front of a system's slots.
///
/// `ServingQueue` decides which call is next, and knows calls by their numbers. The admission queue keeps the
/// calls of these numbers, with their times of arrival and start. It neither starts nor answers a call: it
/// returns what ``ScanSystem`` has to do.
struct AdmissionQueue {
  enum Admission {
    /// The call has got a free slot.
    case start
    /// The call waits. ``leave(_:as:)``, ``drain(_:)`` or ``writeOffSlotIfHeld(by:)`` will return it.
    case wait
    case refuse(CallFailure)
  }

  /// How a scan counts, now that it has ended.
  enum Ending {
    /// It returned its result after this time.
    case done(in: Duration)
    /// It threw, and is left to its client, who tries the task again.
    case retried
    /// It was cancelled, or its task does not count here.
    case uncounted
  }

  /// What follows from the end of a scan.
  struct Departure {
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
      return arrival.duration(to: now)
    }
  }

  private var queue: ServingQueue
  private var entries: [ServingQueue.CallID: Entry] = [:]
  private var served = ServedCounts()
  private var retriedCount = 0
  /// Decides what may still start, if the process has to be gone at a given time.
  private var lifetime: Lifetime?
  /// Since when no call has run or waited; `nil` while one does.
  private(set) var idleSince: Instant?
  private let clock: any ClusterClock
  private let logger: Logger

  init(
    slots: Int, owner: Incarnation?, lifetime: Lifetime?, clock: any ClusterClock, logger: Logger
  ) {
    queue = ServingQueue(slots: slots, owner: owner)
    self.lifetime = lifetime
    idleSince = clock.now
    self.clock = clock
    self.logger = logger
  }

  /// Whether a call may start, and would usually be answered before the process has to be gone.
  private func mayStart(_ call: ScanCall, at now: Instant) -> Bool {
    guard let lifetime else { return true }
    let sort = call.task.sort
    return lifetime.mayStart(sort, longestRunning: longestRunning(sort, at: now), at: now)
  }

  private func longestRunning(_ sort: Lifetime.Work, at now: Instant) -> Duration {
    let starts = entries.values.lazy.filter { $0.call.task.sort == sort }.compactMap(\.start)
    return starts.min()?.duration(to: now) ?? .zero
  }

  /// Every call that runs or waits no longer is removed here.
  @discardableResult
  private mutating func remove(_ number: ServingQueue.CallID) -> ScanCall? {
    let call = entries.removeValue(forKey: number)?.call
    if entries.isEmpty, idleSince == nil { idleSince = clock.now }
    return call
  }

  /// The call of this number, if it runs or waits.
  subscript(number: ServingQueue.CallID) -> ScanCall? { entries[number]?.call }

  /// Has `ServingQueue` decide. An event that it refuses as illegal is a bug in this program, and changes
  /// nothing: it is logged with the last transitions of the call.
  private mutating func decide<Decision>(
    _ body: (inout ServingQueue) throws(IllegalEvent) -> Decision
  ) -> Decision? {
    do throws(IllegalEvent) {
      return try body(&queue)
    } catch {
      logger.critical("an illegal event was refused", metadata: .skynet([.reason: "\(error)"]))
      return nil
    }
  }

  /// A call asks for a slot.
  mutating func enter(_ call: ScanCall) -> Admission {
    let now = clock.now
    if !mayStart(call, at: now) { return .refuse(CallFailure.outlivesSystem) }
    let answer = decide { queue throws(IllegalEvent) in
      try queue.arrived(
        call.number, from: call.context.client, isHedge: call.task.isHedge, at: now)
    }
    switch answer {
    case nil: return .refuse(CallFailure(.system, "the call has entered the queue already"))
    case .refuse:
      return .refuse(queue.drainReason.map(CallFailure.draining) ?? .noSlotLeft)
    case .start:
      idleSince = nil
      entries[call.number] = Entry(call: call, arrival: now, start: now)
      return .start
    case .wait:
      idleSince = nil
      entries[call.number] = Entry(call: call, arrival: now)
      return .wait
    }
  }

  /// The client leaves its answers unread, and gets no slot until it reads them.
  mutating func leavesUnread(_ client: Incarnation) { queue.leavesUnread(client) }

  /// The client reads its answers again, or is gone. ``nextOnFreeSlot()`` then starts what has waited.
  mutating func reads(_ client: Incarnation) { queue.reads(client) }

  /// A slot that is free goes to the next call; `nil` if there is none of the two.
  mutating func nextOnFreeSlot() -> Departure? {
    let now = clock.now
    guard let number = queue.next(at: now) else { return nil }
    var departure = Departure(isShared: queue.isShared)
    pass(to: number, at: now, &departure)
    return departure
  }

  /// The call's scan has ended, and its slot goes to the next call.
  mutating func leave(_ call: ScanCall, as ending: Ending) -> Departure {
    let now = clock.now
    var departure = Departure(isShared: queue.isShared)
    if remove(call.number) != nil {
      switch ending {
      case .done: served.served(call.context.clientName)
      case .retried: retriedCount += 1
      case .uncounted: break
      }
    }
    let wasExhausted = queue.isExhausted
    if case .done(let length) = ending { lifetime?.scanned(call.task.sort, in: length) }
    let next = decide { queue throws(IllegalEvent) in
      try queue.ended(call.number, at: now)
    }
    pass(to: next ?? nil, at: now, &departure)
    departure.resumesService =
      wasExhausted && !queue.isExhausted && !queue.isDraining
    return departure
  }

  /// Begins the call that has got a slot, or the next one that may start.
  private mutating func pass(
    to first: ServingQueue.CallID?, at now: Instant, _ departure: inout Departure
  ) {
    var next = first
    while let number = next, let waiting = entries[number]?.call, !mayStart(waiting, at: now) {
      remove(number)
      departure.handedBack.append(waiting)
      next = decide { queue throws(IllegalEvent) in try queue.ended(number, at: now) } ?? nil
    }
    if let next, let waited = entries[next]?.begin(at: now) {
      departure.next = entries[next].map { ($0.call, waited) }
    }
  }

  /// Removes a call that waits, as its caller no longer wants it. Returns whether the call was waiting.
  mutating func withdraw(_ call: ScanCall) -> Bool {
    guard let entry = entries[call.number], entry.start == nil else { return false }
    remove(call.number)
    return decide { queue throws(IllegalEvent) in
      try queue.withdrew(call.number, of: call.context.client)
      return true
    } ?? false
  }

  /// Whether a call of another client than this one waits for a slot.
  func hasWaitingCall(besides client: Incarnation) -> Bool {
    queue.hasWaitingCall(besides: client)
  }

  /// How long the call's scan has run; `nil` unless the call holds a slot.
  func runningTime(of call: ScanCall) -> Duration? {
    let now = clock.now
    return entries[call.number]?.start?.duration(to: now)
  }

  /// Writes off the slot of a call whose scan was cancelled some time ago, if the scan still holds it. The slot
  /// counts again when the scan ends. When no slot is left, all waiting calls are handed back, and the queue
  /// takes no new ones.
  ///
  /// - Returns: how many slots are left, and the calls to hand back; `nil` if the scan has ended.
  mutating func writeOffSlotIfHeld(by call: ScanCall) -> (slotsLeft: Int, handedBack: [ScanCall])? {
    guard entries[call.number] != nil else { return nil }
    let waiting = decide { queue throws(IllegalEvent) in
      try queue.ignoresCancelling(call.number)
    }
    return (queue.slotsLeft, (waiting ?? []).compactMap { remove($0) })
  }

  /// Takes no new calls from now on. Returns the waiting calls, which the caller has to hand back.
  mutating func drain(_ reason: DrainReason) -> [ScanCall] {
    queue.drain(reason).compactMap { remove($0) }
  }

  /// Takes new calls again, if a client had asked to take none. Returns whether that has changed anything.
  mutating func undrain() -> Bool { queue.undrain() }

  /// Whether the queue takes new calls.
  var isOpen: Bool { !queue.isDraining && !queue.isExhausted }

  /// Why the queue takes no new calls; `nil` while it takes them, or has only no slot left.
  var drainReason: DrainReason? { queue.drainReason }

  /// The calls that have a slot, in the order in which they came.
  var running: [ScanCall] {
    entries.filter { $0.value.start != nil }.sorted { $0.key < $1.key }.map(\.value.call)
  }

  /// How many calls run or wait.
  var count: Int { queue.runningCount + queue.waitingCount }

  /// When the process has to stop taking work, as far as is known now; `nil` if it has no end.
  var lifetimeDeparture: Instant? { lifetime?.departure }

  /// When the scans that run have to be given up, so that the process is gone in time; `nil` if it has no end.
  var lifetimeDeadline: Instant? { lifetime?.deadline }

  var status: ServingStatus {
    let now = clock.now
    var status = ServingStatus(
      slots: queue.slots, done: served.byName, retried: retriedCount,
      drainReason: queue.drainReason)
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
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

extension ScanTask {
  /// The sort of work that the task is, whose tasks take about as long.
  fileprivate var sort: Lifetime.Work { Lifetime.Work(kind, pass: id.pass, run: run) }
}
