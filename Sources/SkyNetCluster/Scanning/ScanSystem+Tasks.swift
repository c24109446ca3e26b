import Distributed
import Logging
import SkyNetCore

/// The way of a task through the system: a call enters by `begin`, waits in the `AdmissionQueue`, runs, and
/// leaves.
///
/// A call of this process comes through ``run(_:)``, and a peer's call from its connection's link.
extension ScanSystem {
  /// How long a scan may go on after its call was cancelled before its slot is written off.
  private static let cancellationGrace = Duration.seconds(1)

  // MARK: Entering

  /// The number of the next call.
  func nextCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }

  /// Begins a call's scan as soon as the queue admits it.
  ///
  /// - Parameters:
  ///   - message: what has asked for it, if that came over the network.
  ///   - whenDone: called once with the outcome, on the engine. When the call is cancelled, it is called at once, even
  ///     if the scan ignores the cancellation.
  func begin(
    _ number: UInt64, _ task: ScanTask, from context: CallContext, message: Message? = nil,
    whenDone: @escaping ScanCall.WhenDone
  ) {
    let call = ScanCall(number, task, from: context, message: message, whenDone: whenDone)
    switch queue.enter(call) {
    case .start: start(call, waited: .zero)
    case .refuse(let failure): call.finish(.failure(failure))
    case .wait: if let other = orphans.giveWay(to: context.client) { cancel(other) }
    }
  }

  /// Takes the scan that a client's call asks for, if it was kept when the client's connection broke. It
  /// belongs to the new call from now on.
  ///
  /// - Returns: its number, and how long it has run; zero if it has ended.
  func claim(
    _ message: Message, by client: Incarnation, whenDone: @escaping ScanCall.WhenDone
  ) -> (number: UInt64, ran: Duration)? {
    guard !orphans.isEmpty, let call = orphans.claim(message, by: client) else { return nil }
    let ran = queue.runningTime(of: call) ?? .zero
    call.regainCaller(whenDone)
    return (call.number, ran)
  }

  // MARK: Running

  private func start(_ call: ScanCall, waited: Duration) {
    let isBrief = isBrief(call)
    // A brief scan's answer follows at once, so its start need not be reported.
    if !isBrief { call.context.onStart(.zero) }
    call.scan = scan(
      call.number, call.task, call.context, waited: waited, clock,
      on: isBrief ? actorSystem.executor : threads, isBrief: isBrief)
  }

  private nonisolated func scan(
    _ number: UInt64, _ task: ScanTask, _ context: CallContext, waited: Duration,
    _ clock: any ClusterClock, on executor: any TaskExecutor, isBrief: Bool
  ) -> Task<Void, Never> {
    let (registry, spans) = (actorSystem.registry, actorSystem.spans)
    return Task(executorPreference: executor) {
      let begin = clock.now
      let end: Result<AnyOutput, any Error>
      do {
        // This task was made from within another call's task, whose context it has inherited.
        end = .success(
          try await CallContext.$current.withValue(context) {
            guard let spans else { return try await task.scan(with: registry) }
            return try await spans.scan(task, context) { try await task.scan(with: registry) }
          })
      } catch {
        end = .failure(error)
      }
      let duration = begin.duration(to: clock.now)
      await self.whenLocal { system in
        if isBrief { system.countBriefScan(number, duration) }
        system.leave(number, by: end, duration: duration, waited: waited)
      }
    }
  }

  /// Passes the slot of a scan that has ended to the next call, and gives the outcome to the scan's caller.
  private func leave(
    _ number: UInt64, by end: Result<AnyOutput, any Error>, duration: Duration, waited: Duration
  ) {
    guard let call = queue[number] else { return }
    // The same task comes again with its data, and counts then.
    let isCounted = !(end.error is SectorDataRefused)
    let departure = queue.leave(
      call, failed: end.isFailure, length: end.error == nil ? duration : nil, isCounted: isCounted)
    if isCounted {
      metrics?.ended(call.task.kind, ScanMetrics.Ending(end.error), after: duration)
    }
    for late in departure.handedBack { late.finish(.failure(CallFailure.outlivesSystem)) }
    if let next = departure.next { start(next.call, waited: next.waited) }
    if departure.resumesService { actorSystem.localActorResumed() }
    switch end {
    case .success(let output):
      logger.debug(
        "scanned", metadata: call.logMetadata([.client: call.context.clientName]))
      var result = ScanResult(
        kind: call.task.kind, output: output, seconds: duration.inSeconds,
        queuedSeconds: waited.inSeconds)
      result.isShared = departure.isShared
      call.finish(.success(result))
    case .failure(let error): finish(call, failed: error, after: duration)
    }
  }

  private func finish(_ call: ScanCall, failed error: any Error, after duration: Duration) {
    if error is CancellationError {
      call.finish(.failure(error))
    } else {
      var failure = CallFailure(error)
      failure.seconds = duration.inSeconds
      call.finish(.failure(failure))
    }
    // An orphaned scan that failed is dropped, so that a new call tries it anew.
    orphans.forgetFailed()
  }

  // MARK: Brief scans

  /// Whether the scan runs on the engine: a peer asks for it, and it calls itself brief.
  private func isBrief(_ call: ScanCall) -> Bool {
    // A caller with a scan timeout has to hear of the scan's start, which only a scan on a thread reports.
    call.context.isRemote && !call.task.isTimed && call.task.isBrief(in: actorSystem.registry)
      && !briefScans.hasOverflowed
  }

  /// Adds the time of a scan that calls itself brief to the leaky bucket. When the bucket overflows, brief
  /// scans run on threads too.
  private func countBriefScan(_ number: UInt64, _ duration: Duration) {
    guard briefScans.add(duration), let call = queue[number] else { return }
    logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      their connections; from now on each scan runs on a thread of its own
      """,
      metadata: call.logMetadata([.scan: "\(call.task.kind)"]))
  }

  // MARK: Ending early

  /// Answers a call's caller at once, and cancels its scan. Has no effect on a call that has left.
  func cancel(_ number: UInt64) {
    if let call = queue[number] { cancel(call) }
  }

  func cancel(_ call: ScanCall) {
    guard call.cancel() else { return }
    if !queue.withdraw(call), call.scan != nil { watchCancelled(call.number) }
  }

  /// Writes off the slot of a scan that goes on although it was cancelled.
  private func watchCancelled(_ number: UInt64) {
    // The task outlives the call on purpose, for a second: the call has returned by then.
    Task {
      try? await clock.sleep(until: clock.now + Self.cancellationGrace)
      guard let call = queue[number], let held = queue.writeOffSlotIfHeld(by: call) else { return }
      for waiting in held.handedBack { waiting.finish(.failure(CallFailure.noSlotLeft)) }
      logger.warning(
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
  /// - Returns: the calls that the connection does not own any more.
  func keepScans(
    of client: Incarnation, _ calls: [(number: UInt64, held: HeldBytes)]
  ) -> Set<UInt64> {
    guard orphans.noteBrokenConnection(of: client) else { return [] }
    var kept: Set<UInt64> = []
    for (number, held) in calls {
      guard let call = queue[number], !queue.isWaiting(call) else { continue }
      let (isKept, excess) = orphans.adopt(call, holding: held)
      if isKept { kept.insert(number) }
      if let excess { cancel(excess) }
    }
    // Kept scans give way to a waiting call of another client.
    if queue.hasWaitingCall(besides: client) { abandon(kept) }
    return kept
  }

  /// Cancels those of these scans that were kept, and that no call has claimed.
  func abandon(_ numbers: Set<UInt64>) {
    for number in numbers.sorted() {
      if let call = orphans.abandon(number) { cancel(call) }
    }
  }
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
