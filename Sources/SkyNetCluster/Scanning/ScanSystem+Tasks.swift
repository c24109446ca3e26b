import Distributed
import Logging
import SkyNetCore

/// The way of a task through the system: a call enters the `AdmissionQueue`, runs, and leaves.
extension ScanSystem {
  /// How long a scan may go on after its call was cancelled before its slot is written off.
  private static let cancellationGrace = Duration.seconds(1)

  // MARK: Entering

  /// Begins a call's scan as soon as the queue admits it.
  func enter(_ call: ScanCall) {
    switch queue.enter(call) {
    case .start: start(call, waited: .zero)
    case .refuse(let failure): call.finish(.failure(failure))
    case .wait: if let other = orphans.giveWay(to: call.context.client) { cancel(other) }
    }
  }

  /// Takes the scan that a client's call asks for, if it was kept when the client's connection broke. It
  /// belongs to the new call from now on, which is told how long it has run: no time if it has ended.
  func claim(from context: CallContext) -> ScanCall? {
    guard !orphans.isEmpty, let arrival = context.arrival,
      let call = orphans.claim(arrival.message, by: context.client)
    else { return nil }
    context.onStart(queue.runningTime(of: call) ?? .zero)
    return call
  }

  // MARK: Running

  private func start(_ call: ScanCall, waited: Duration) {
    let isBrief = isBrief(call)
    // A brief scan's answer follows at once, so its start need not be reported.
    if !isBrief { call.context.onStart(.zero) }
    var context = call.context
    // The call has the message, and another one if another call claims it.
    context.arrival = nil
    call.scan = scan(
      call.task, from: context, isRemote: call.context.arrival != nil,
      on: isBrief ? actorSystem.executor : threads, clock, logger
    ) { [number = call.number] system, ended in
      if isBrief { system.countBriefScan(number, ended.duration) }
      system.leave(number, ended, waited: waited)
    }
  }

  /// A scan as it ended on its executor.
  private struct EndedScan {
    var output: Result<AnyOutput, any Error>
    var written: WrittenOutput?
    let duration: Duration
  }

  private nonisolated func scan(
    _ task: ScanTask, from context: CallContext, isRemote: Bool, on executor: any TaskExecutor,
    _ clock: any ClusterClock, _ logger: Logger,
    whenDone: @escaping @Sendable (isolated ScanSystem, EndedScan) -> Void
  ) -> Task<Void, Never> {
    // Not the values of the task that has freed the slot, in which this one is made.
    LogScope.$current.withValue(LogScope(task)) {
      CallContext.$current.withValue(context) {
        Task(executorPreference: executor) {
          let begin = clock.now
          let output: Result<AnyOutput, any Error>
          do {
            output = .success(try await self.output(of: task, context))
            logger.debug("scanned", metadata: .skynet([.client: context.clientName]))
          } catch {
            output = .failure(error)
          }
          var ended = EndedScan(output: output, duration: begin.duration(to: clock.now))
          if isRemote, let output = try? output.get() {
            ended.written = WrittenOutput(output, of: task.kind)
          }
          self.tell { [ended] in whenDone($0, ended) }
        }
      }
    }
  }

  private nonisolated func output(
    of task: ScanTask, _ context: CallContext
  ) async throws -> AnyOutput {
    let registry = actorSystem.registry
    guard let spans = actorSystem.spans else { return try await task.scan(with: registry) }
    return try await spans.scan(task, context) { try await task.scan(with: registry) }
  }

  /// Passes the slot of a scan that has ended to the next call, and gives the outcome to the scan's caller.
  private func leave(_ number: UInt64, _ ended: EndedScan, waited: Duration) {
    guard let call = queue[number] else { return }
    let (end, duration) = (ended.output, ended.duration)
    // The same task comes again with its data, and counts then.
    let isCounted = !(end.error is SectorDataRefused)
    let departure = queue.leave(
      call, failed: end.isFailure, length: end.error == nil ? duration : nil, isCounted: isCounted)
    if isCounted {
      metrics?.ended(call.task.kind, ScanMetrics.Ending(end.error), after: duration)
    }
    for late in departure.handedBack { late.finish(.failure(CallFailure.outlivesSystem)) }
    if let next = departure.next { start(next.call, waited: next.waited) }
    if departure.resumesService { resume() }
    switch end {
    case .success(let output):
      var result = ScanResult(
        kind: call.task.kind, output: output, seconds: duration.inSeconds,
        queuedSeconds: waited.inSeconds)
      result.isShared = departure.isShared
      result.written = ended.written
      call.finish(.success(result))
    case .failure(let error): finish(call, failed: error, after: duration)
    }
  }

  /// The system has a slot again, after scans that ignored their cancellation had held all slots.
  ///
  /// A peer whose call was handed back takes this process for one that drains, and sends no more calls over
  /// that connection. So this side ends its connections: the peers connect again, and send calls again.
  private func resume() {
    whenResumed()
    guard actorSystem.servesOthers else { return }
    for link in actorSystem.peers.here({ $0.links }) {
      link.leave(saying: "it has slots again: connect anew")
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
    call.context.arrival != nil && !call.task.isTimed && call.task.isBrief(in: actorSystem.registry)
      && !briefScans.hasOverflowed
  }

  /// Adds the time of a scan that calls itself brief to the leaky bucket. When the bucket overflows, brief
  /// scans run on threads too.
  private func countBriefScan(_ number: UInt64, _ duration: Duration) {
    guard briefScans.add(duration), let call = queue[number] else { return }
    logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      all connections; from now on each scan runs on a thread of its own
      """,
      metadata: .skynet([.scan: "\(call.task.kind)"]))
  }

  // MARK: Ending early

  /// Answers a caller at once, and cancels its scan. Has no effect on a call that has left, or has another caller now.
  func cancel(_ number: UInt64, by caller: UInt64) {
    if let call = queue[number], call.isAwaited(by: caller) { cancel(call) }
  }

  func cancel(_ call: ScanCall) {
    guard call.cancel() else { return }
    if !queue.withdraw(call), call.scan != nil { watchCancelled(call) }
  }

  /// Writes off the slot of a scan that goes on although it was cancelled.
  private func watchCancelled(_ call: ScanCall) {
    let number = call.number
    LogScope.$current.withValue(LogScope(call.task)) {
      // The task outlives the call on purpose, for a second: the call has returned by then.
      _ = Task {
        try? await clock.sleep(until: clock.now + Self.cancellationGrace)
        guard let call = queue[number], let held = queue.writeOffSlotIfHeld(by: call) else {
          return
        }
        for waiting in held.handedBack { waiting.finish(.failure(CallFailure.noSlotLeft)) }
        logger.warning(
          "a scan ignores that it was cancelled, and keeps its slot",
          metadata: .skynet([.scan: "\(call.task.kind)", .slotsLeft: "\(held.slotsLeft)"]))
      }
    }
  }

  // MARK: Callers whose connection broke

  /// Keeps the running scans of a client whose connection broke with their calls unanswered, if the client has
  /// come back after a broken connection before. These calls end.
  ///
  /// - Returns: the scans that were kept.
  func keepScans(
    of client: Incarnation, over connection: ObjectIdentifier
  ) -> [OrphanedScans.ID] {
    guard orphans.noteBrokenConnection(of: client) else { return [] }
    var kept: [OrphanedScans.ID] = []
    for call in queue.running where call.context.arrival?.connection == connection {
      let (orphan, excess) = orphans.adopt(call)
      if let orphan { kept.append(orphan) }
      if let excess { cancel(excess) }
    }
    guard queue.hasWaitingCall(besides: client) else { return kept }
    // Kept scans give way to a waiting call of another client.
    abandon(kept)
    return []
  }

  /// Cancels those of these scans that were kept, and that no call has claimed.
  func abandon(_ kept: [OrphanedScans.ID]) {
    for orphan in kept {
      if let call = orphans.abandon(orphan) { cancel(call) }
    }
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
