import Logging
import SkyNetCore
import Synchronization

/// The door for tasks: a scan enters by `begin`, waits in the `AdmissionQueue`, runs, and leaves.
///
/// A call of this process comes through ``run(_:)``, a peer's straight from its connection; both call
/// ``begin(_:whenDone:)``. These methods are `nonisolated`: the actor's mailbox orders nothing that the
/// queue's lock does not order already, and to enter it cost each task two switches of threads (30 µs
/// a task through the mailbox, 18 to 23 µs without).
extension ScanSystem {
  /// How long a scan may go on after its call was cancelled before the log says so.
  private static let cancellationGrace = Duration.seconds(1)

  // MARK: Entering

  /// Begins a call's scan as soon as the queue admits it.
  ///
  /// - Parameter whenDone: called once with the outcome, on any thread; at once if the call is
  ///   cancelled, whether or not its scan heeds that.
  nonisolated func begin(_ call: ScanCall, whenDone: @escaping ScanCall.WhenDone) {
    guard let resources else { return whenDone(.failure(CallFailure.noScans)) }
    guard call.isWanted(by: whenDone) else { return }
    switch resources.queue.enter(call) {
    case .start: start(call, waited: .zero, resources)
    case .refuse(let failure): call.finish(.failure(failure))
    case .wait:
      // If it was cancelled before it was in the queue, nothing has taken it out.
      if call.isCancelled { _ = resources.queue.withdraw(call) }
      let orphans = resources.orphans
      if !orphans.isEmpty, resources.queue.isWaiting(call) {
        orphans.giveWay(to: call.context.client)
      }
    }
  }

  /// The scan that a client's call asks for, if it was kept when the client's connection broke. It
  /// belongs to that call from now on.
  nonisolated func claim(_ message: Message, by client: Incarnation) -> ScanCall? {
    resources?.orphans.claim(message, by: client)
  }

  /// How long a call's scan has run: no time if it waits, or has ended.
  nonisolated func runningTime(of call: ScanCall) -> Duration {
    resources?.queue.runningTime(of: call) ?? .zero
  }

  // MARK: Running

  private nonisolated func start(_ call: ScanCall, waited: Duration, _ resources: Resources) {
    let place = briefPlace(for: call, resources)
    // The answer of a brief scan says as much.
    if place == nil { call.context.onStart(.zero) }
    let scan = Task(executorPreference: place ?? resources.threads) {
      let begin = resources.clock.now
      let end: Result<AnyOutput, any Error>
      do {
        // The thread that frees a slot comes here from within another call's task.
        end = .success(
          try await CallContext.$current.withValue(call.context) {
            try await call.task.scan(with: self.actorSystem.registry)
          })
      } catch {
        end = .failure(error)
      }
      let duration = begin.duration(to: resources.clock.now)
      if place != nil { self.judgeBrief(call, duration, resources) }
      self.leave(call, by: end, duration: duration, waited: waited, resources)
    }
    guard call.started(scan) else { return }
    scan.cancel()
    watchCancelled(call)
  }

  /// The scan ended: its slot goes to the next call, and its caller gets the outcome.
  private nonisolated func leave(
    _ call: ScanCall, by end: Result<AnyOutput, any Error>, duration: Duration, waited: Duration,
    _ resources: Resources
  ) {
    let departure = resources.queue.leave(call, failed: end.isFailure)
    if let next = departure.next { start(next.call, waited: next.waited, resources) }
    if departure.servesAgain { actorSystem.servesAgain() }
    switch end {
    case .success(let output):
      resources.logger.debug(
        "scanned",
        metadata: .skynet([
          .sector: "\(call.task.id.sector)", .client: call.context.clientName,
        ]))
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
    // A kept scan that failed is to be tried anew.
    if !resources.orphans.isEmpty { resources.orphans.forgetFailed() }
  }

  // MARK: Brief scans

  /// Where a scan runs that calls itself brief; `nil` is on one of the threads.
  private nonisolated func briefPlace(
    for call: ScanCall, _ resources: Resources
  ) -> (any TaskExecutor)? {
    // A caller that counts the scan's time has to hear of its start.
    guard let receiver = call.context.receiver, !call.task.isTimed,
      call.task.isBrief(in: actorSystem.registry),
      !resources.briefScans.withLock({ $0.hasOverflowed })
    else { return nil }
    return receiver
  }

  /// A scan that calls itself brief took this long.
  private nonisolated func judgeBrief(
    _ call: ScanCall, _ duration: Duration, _ resources: Resources
  ) {
    guard resources.briefScans.withLock({ $0.add(duration) }) else { return }
    resources.logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      their connections; from now on each scan runs on a thread of its own
      """,
      metadata: .skynet([.sector: "\(call.task.id.sector)", .scan: "\(call.task.kind)"]))
  }

  // MARK: Ending early

  /// Takes out a call that was cancelled, or watches its scan, which was told to end.
  nonisolated func withdraw(_ call: ScanCall, isRunning: Bool) {
    guard let resources, !resources.queue.withdraw(call), isRunning else { return }
    watchCancelled(call)
  }

  /// Counts out the slot of a scan that goes on although it was cancelled.
  private nonisolated func watchCancelled(_ call: ScanCall) {
    guard let resources else { return }
    // Outlives the call on purpose, for a second: the call has returned by then.
    Task {
      let clock = resources.clock
      try? await clock.sleep(until: clock.now + Self.cancellationGrace)
      guard let held = resources.queue.countOutIfHeld(call) else { return }
      for waiting in held.handedBack { waiting.finish(.failure(CallFailure.noSlotLeft)) }
      resources.logger.warning(
        "a scan ignores that it was cancelled, and keeps its slot",
        metadata: .skynet([
          .sector: "\(call.task.id.sector)", .scan: "\(call.task.kind)",
          .slotsLeft: "\(held.slotsLeft)",
        ]))
    }
  }

  /// Takes nothing new from now on, and hands back what waits. Scans without a caller end: no caller
  /// can come for them any more.
  nonisolated func drain() {
    guard let resources else { return }
    for call in resources.queue.drain() { call.finish(.failure(CallFailure.draining)) }
    resources.orphans.close()
  }

  // MARK: Callers whose connection broke

  /// A client's connection broke with these calls unanswered. Keeps those of its scans that run, if
  /// the client is one that comes back.
  ///
  /// - Returns: those that are kept.
  nonisolated func keepScans(
    of client: Incarnation, _ calls: [(call: ScanCall, held: HeldBytes)]
  ) -> [OrphanedScan] {
    guard let orphans = resources?.orphans, orphans.brokeOff(client) else { return [] }
    return calls.compactMap { orphans.adopt($0.call, holding: $0.held) }
  }

  /// Whether a call of another client than this one waits for a slot.
  nonisolated func isWaitedFor(besides client: Incarnation) -> Bool {
    resources?.queue.isWaitedFor(besides: client) ?? false
  }

  /// Cancels those kept scans that no call has claimed.
  nonisolated func abandon(_ scans: [OrphanedScan]) { resources?.orphans.abandon(scans) }
}

extension Result {
  /// Whether it is an error other than that of cancelling.
  fileprivate var isFailure: Bool {
    if case .failure(let error) = self { !(error is CancellationError) } else { false }
  }
}

extension CallFailure {
  static let draining = CallFailure(.draining, "the system is shutting down")
  static let noSlotLeft = CallFailure(
    .draining, "scans that ignore being cancelled hold all of the system's slots")
  static let noScans = CallFailure(.system, "this process runs no scans")
}
