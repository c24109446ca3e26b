import Logging
import SkyNetCore
import Synchronization

/// The way of a task through the system: a call enters by `begin`, waits in the `AdmissionQueue`, runs, and
/// leaves.
///
/// A call of this process comes through ``run(_:)``, and a peer's call directly from its connection; both call
/// ``begin(_:whenDone:)``. These methods are `nonisolated`, since the actor's mailbox orders nothing that the
/// queue's lock does not order already. Through the mailbox, each task would take two switches of threads more
/// (30 µs per task, against 18 to 23 µs without).
extension ScanSystem {
  /// How long a scan may go on after its call was cancelled before its slot is written off.
  private static let cancellationGrace = Duration.seconds(1)

  // MARK: Entering

  /// Begins a call's scan as soon as the queue admits it.
  ///
  /// - Parameter whenDone: called once with the outcome, on any thread. When the call is cancelled, it is
  ///   called at once, even if the scan ignores the cancellation.
  nonisolated func begin(_ call: ScanCall, whenDone: @escaping ScanCall.WhenDone) {
    guard let resources else { return whenDone(.failure(CallFailure.noScans)) }
    guard call.setCaller(whenDone) else { return }
    switch resources.queue.enter(call) {
    case .start: start(call, waited: .zero, resources)
    case .refuse(let failure): call.finish(.failure(failure))
    case .wait:
      // A cancellation that came before the call was in the queue has not taken it out.
      if call.isCancelled { _ = resources.queue.withdraw(call) }
      let orphans = resources.orphans
      if !orphans.isEmpty, resources.queue.isWaiting(call) {
        orphans.giveWay(to: call.context.client)
      }
    }
  }

  /// Takes the scan that a client's call asks for, if it was kept when the client's connection broke. It
  /// belongs to the new call from now on.
  nonisolated func claim(_ message: Message, by client: Incarnation) -> ScanCall? {
    resources?.orphans.claim(message, by: client)
  }

  /// How long a call's scan has run; zero if the call waits, or if its scan has ended.
  nonisolated func runningTime(of call: ScanCall) -> Duration {
    resources?.queue.runningTime(of: call) ?? .zero
  }

  // MARK: Running

  private nonisolated func start(_ call: ScanCall, waited: Duration, _ resources: Resources) {
    let briefExecutor = briefExecutor(for: call, resources)
    // A brief scan's answer follows at once, so its start need not be reported.
    if briefExecutor == nil { call.context.onStart(.zero) }
    let scan = Task(executorPreference: briefExecutor ?? resources.threads) {
      let begin = resources.clock.now
      let end: Result<AnyOutput, any Error>
      do {
        // The thread that freed the slot made this task from within another call's task, whose context the
        // task has inherited.
        end = .success(
          try await CallContext.$current.withValue(call.context) {
            guard let spans = resources.spans else {
              return try await call.task.scan(with: self.actorSystem.registry)
            }
            return try await spans.scan(call) {
              try await call.task.scan(with: self.actorSystem.registry)
            }
          })
      } catch {
        end = .failure(error)
      }
      let duration = begin.duration(to: resources.clock.now)
      if briefExecutor != nil { self.countBriefScan(call, duration, resources) }
      self.leave(call, by: end, duration: duration, waited: waited, resources)
    }
    guard call.started(scan) else { return }
    scan.cancel()
    watchCancelled(call)
  }

  /// Passes the slot of a scan that has ended to the next call, and gives the outcome to the scan's caller.
  private nonisolated func leave(
    _ call: ScanCall, by end: Result<AnyOutput, any Error>, duration: Duration, waited: Duration,
    _ resources: Resources
  ) {
    // The same task comes again with its data, and counts then.
    let isCounted = !(end.error is SectorDataRefused)
    let departure = resources.queue.leave(
      call, failed: end.isFailure, length: end.error == nil ? duration : nil, isCounted: isCounted)
    if isCounted {
      resources.metrics?.ended(call.task.kind, ScanMetrics.Ending(end.error), after: duration)
    }
    for late in departure.handedBack { late.finish(.failure(CallFailure.outlivesSystem)) }
    if let next = departure.next { start(next.call, waited: next.waited, resources) }
    if departure.resumesService { actorSystem.localActorResumed() }
    switch end {
    case .success(let output):
      resources.logger.debug(
        "scanned",
        metadata: call.logMetadata([.client: call.context.clientName]))
      var result = ScanResult(
        kind: call.task.kind, output: output, seconds: duration.inSeconds,
        queuedSeconds: waited.inSeconds)
      result.isShared = departure.isShared
      call.finish(.success(result))
    case .failure(let error):
      finish(call, failed: error, after: duration, resources)
    }
  }

  private nonisolated func finish(
    _ call: ScanCall, failed error: any Error, after duration: Duration, _ resources: Resources
  ) {
    if error is CancellationError {
      call.finish(.failure(error))
    } else {
      var failure = CallFailure(error)
      failure.seconds = duration.inSeconds
      call.finish(.failure(failure))
    }
    // An orphaned scan that failed is dropped, so that a new call tries it anew.
    if !resources.orphans.isEmpty { resources.orphans.forgetFailed() }
  }

  // MARK: Brief scans

  /// The connection's executor, for a scan that calls itself brief; `nil` if the scan has to run on a thread.
  private nonisolated func briefExecutor(
    for call: ScanCall, _ resources: Resources
  ) -> (any TaskExecutor)? {
    // A caller with a scan timeout has to hear of the scan's start, which only a scan on a thread reports.
    guard let receiver = call.context.receiver, !call.task.isTimed,
      call.task.isBrief(in: actorSystem.registry),
      !resources.briefScans.withLock({ $0.hasOverflowed })
    else { return nil }
    return receiver
  }

  /// Adds the time of a scan that calls itself brief to the leaky bucket. When the bucket overflows, brief
  /// scans run on threads too.
  private nonisolated func countBriefScan(
    _ call: ScanCall, _ duration: Duration, _ resources: Resources
  ) {
    guard resources.briefScans.withLock({ $0.add(duration) }) else { return }
    resources.logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      their connections; from now on each scan runs on a thread of its own
      """,
      metadata: call.logMetadata([.scan: "\(call.task.kind)"]))
  }

  // MARK: Ending early

  /// Removes a cancelled call from the queue, or watches its scan if it runs.
  nonisolated func withdraw(_ call: ScanCall, isRunning: Bool) {
    guard let resources, !resources.queue.withdraw(call), isRunning else { return }
    watchCancelled(call)
  }

  /// Writes off the slot of a scan that goes on although it was cancelled.
  private nonisolated func watchCancelled(_ call: ScanCall) {
    guard let resources else { return }
    // The task outlives the call on purpose, for a second: the call has returned by then.
    Task {
      let clock = resources.clock
      try? await clock.sleep(until: clock.now + Self.cancellationGrace)
      guard let held = resources.queue.writeOffSlotIfHeld(by: call) else { return }
      for waiting in held.handedBack { waiting.finish(.failure(CallFailure.noSlotLeft)) }
      resources.logger.warning(
        "a scan ignores that it was cancelled, and keeps its slot",
        metadata: call.logMetadata([
          .scan: "\(call.task.kind)", .slotsLeft: "\(held.slotsLeft)",
        ]))
    }
  }

  // MARK: Callers whose connection broke

  /// Keeps the running scans of a client whose connection broke with these calls unanswered, if the client has
  /// come back after a broken connection before.
  ///
  /// - Returns: the scans that are kept.
  nonisolated func keepScans(
    of client: Incarnation, _ calls: [(call: ScanCall, held: HeldBytes)]
  ) -> [OrphanedScan] {
    guard let resources, resources.orphans.noteBrokenConnection(of: client) else { return [] }
    return calls.compactMap { call, held in
      // A call that has its slot is kept even if the task of its scan is only being made.
      resources.queue.isWaiting(call) ? nil : resources.orphans.adopt(call, holding: held)
    }
  }

  /// Whether a call of another client than this one waits for a slot.
  nonisolated func hasWaitingCall(besides client: Incarnation) -> Bool {
    resources?.queue.hasWaitingCall(besides: client) ?? false
  }

  /// Cancels those of the given orphaned scans that no call has claimed.
  nonisolated func abandon(_ scans: [OrphanedScan]) { resources?.orphans.abandon(scans) }
}

extension ScanCall {
  /// What a log message about this call names: the sector and its run, and these values.
  fileprivate func logMetadata(_ values: [LogKey: String]) -> Logger.Metadata {
    var values = values
    values[.sector] = "\(task.id.sector)"
    if let run = task.run { values[.run] = "\(run)" }
    return .skynet(values)
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// Whether this is an error other than `CancellationError`.
  fileprivate var isFailure: Bool {
    error.map { !($0 is CancellationError) } ?? false
  }
}

extension CallFailure {
  static func draining(_ reason: DrainReason) -> CallFailure {
    switch reason {
    case .asked(let client): CallFailure(.draining, "the system is drained by \(client)")
    case .leaving: CallFailure(.draining, "the system is shutting down")
    }
  }
  static let noSlotLeft = CallFailure(
    .draining, "scans that ignore being cancelled hold all of the system's slots")
  static let outlivesSystem = CallFailure(
    .draining, "the system is gone before such a scan usually ends")
  static let noScans = CallFailure(.system, "this process runs no scans")
}
