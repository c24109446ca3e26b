import Distributed
import Logging
import SkyNetCore

/// The way of a task through the system: a call enters the `AdmissionQueue`, runs, and leaves.
extension ScanSystem {
  /// How long a scan may go on after its call was cancelled before its slot is written off: longer than the grace that a
  /// scan itself gives to what it has to end. A program's processes have a second between SIGTERM and SIGKILL
  /// (`KeptChildren.grace`), and some time passes until they are gone on a busy machine.
  static let cancellationGrace = Duration.seconds(3)

  // MARK: Entering

  /// Scans one sector, when a slot is free for it.
  ///
  /// When the caller's task is cancelled, the call returns at once. A scan that ignores the cancellation keeps
  /// its slot until it ends. A scan that calls itself brief is awaited all the same.
  ///
  /// - Throws: `CallFailure`; `CancellationError`; over the network also ``ConnectionLost``.
  package distributed func run(_ task: ScanTask) async throws -> ScanResult {
    try await scanned(task)
  }

  /// What ``run(_:)`` does, for calls that have come over the network. It is a part of its callers, as each call of an
  /// async function is two looks at executors.
  @inline(__always)
  func scanned(_ task: ScanTask) async throws -> ScanResult {
    let context =
      CallContext.current ?? CallContext(client: owner ?? id, clientName: actorSystem.hello.name)
    lastCall += 1
    let caller = lastCall
    let kept = claim(from: context)
    let call = kept ?? ScanCall(caller, task, from: context)
    if kept == nil {
      try Task.checkCancellation()
      switch queue.enter(call) {
      // A brief scan has ended before anything could cancel it.
      case .start where isBrief(call): return try await scanHere(call)
      case .start: start(call, isBrief: false, waited: .zero)
      case .wait: if let other = orphans.giveWay(to: context.client) { cancel(other) }
      case .refuse(let failure): throw failure
      }
    }
    let number = call.number
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.awaited(by: caller, from: context) { continuation.resume(with: $0) }
        if Task.isCancelled { cancel(call) }
      }
    } onCancel: {
      tell { $0.cancel(number, by: caller) }
    }
  }

  /// Takes the scan that a client's call asks for, if it was kept when the client's connection broke. It
  /// belongs to the new call from now on, which is told how long it has run: no time if it has ended.
  private func claim(from context: CallContext) -> ScanCall? {
    guard !orphans.isEmpty, let arrival = context.arrival,
      let call = orphans.claim(arrival.message, by: context.client)
    else { return nil }
    context.onStart(queue.runningTime(of: call) ?? .zero)
    return call
  }

  // MARK: Running

  /// Scans at once, in the task of the call: a brief scan's answer follows at once, so neither has its start to be told
  /// nor its caller to be answered before. Its slot is free.
  @inline(__always)
  private func scanHere(_ call: ScanCall) async throws -> ScanResult {
    let scan = RunningScan(call, isBrief: true, waited: .zero)
    let ended = await end(of: scan, clock, logger)
    return try leave(call, scan, ended).get()
  }

  /// - Parameter waited: how long the call has waited for its slot.
  private func start(_ call: ScanCall, isBrief: Bool, waited: Duration) {
    if !isBrief { call.context.onStart(.zero) }
    let scan = RunningScan(call, isBrief: isBrief, waited: waited)
    let executor: any TaskExecutor = isBrief ? actorSystem.executor : threads
    // Not in the context of the task that has freed the slot, in which this one is made.
    call.scan = CallContext.$current.withValue(scan.context) {
      Task(executorPreference: executor) { @concurrent [clock, logger] in
        let ended = await self.end(of: scan, clock, logger)
        self.tell { system in
          guard let call = system.queue[scan.call] else { return }
          call.finish(system.leave(call, scan, ended))
          // An orphaned scan that failed is dropped, so that a new call tries it anew.
          if case .failure = ended.outcome { system.orphans.forgetFailed() }
        }
      }
    }
    // To tell the caller of the start may have brought its cancelling.
    if call.isCancelled {
      call.scan?.cancel()
      watchCancelled(call)
    }
  }

  /// A scan as it runs on its executor.
  private struct RunningScan: Sendable {
    let task: ScanTask
    let call: UInt64
    let context: CallContext
    let isRemote: Bool
    let isBrief: Bool
    /// How long its call has waited for a slot.
    let waited: Duration

    init(_ call: ScanCall, isBrief: Bool, waited: Duration) {
      task = call.task
      self.call = call.number
      // A brief scan runs in the task of its call.
      context = isBrief ? call.context : call.context.ofScan(call.task)
      isRemote = call.context.arrival != nil
      self.isBrief = isBrief
      self.waited = waited
    }
  }

  private typealias EndedScan = (outcome: ScanCall.Outcome, duration: Duration)

  /// Scans where the caller runs.
  @inline(__always)
  private nonisolated func end(
    of scan: RunningScan, _ clock: any ClusterClock, _ logger: Logger
  ) async -> EndedScan {
    let begin = clock.now
    do {
      // A peer's task was sent.
      if !scan.isRemote { try scan.task.checkSize() }
      let (task, registry, name) = (scan.task, actorSystem.registry, actorSystem.hello.name)
      let isOfPeer = scan.isRemote
      let output =
        if let spans = actorSystem.spans {
          try await spans.scan(task, scan.context) {
            try await task.scan(with: registry, on: name, isOfPeer: isOfPeer)
          }
        } else {
          try await task.scan(with: registry, on: name, isOfPeer: isOfPeer)
        }
      logger.debug("scanned", metadata: .skynet([.client: scan.context.clientName]))
      let duration = begin.duration(to: clock.now)
      var result = ScanResult(
        kind: task.kind, output: output, seconds: duration.inSeconds,
        queuedSeconds: scan.waited.inSeconds)
      // A brief scan runs where its answer is sent. What stays here is refused as it would be at a peer.
      if scan.isRemote {
        if !scan.isBrief { result.written = try ScanResult.beginning(output, of: task.kind) }
      } else if !BodyWriter.hasRoom(for: output) {
        _ = try ScanResult.beginning(output, of: task.kind, isMeasure: true)
      }
      return (.success(result), duration)
    } catch {
      let duration = begin.duration(to: clock.now)
      if error is CancellationError { return (.failure(error), duration) }
      var failure = CallFailure(error)
      failure.seconds = duration.inSeconds
      return (.failure(failure), duration)
    }
  }

  /// Passes the slot of a scan that has ended to the next call. Returns the outcome for the scan's caller.
  private func leave(
    _ call: ScanCall, _ scan: RunningScan, _ ended: EndedScan
  ) -> ScanCall.Outcome {
    let duration = ended.duration
    if scan.isBrief { countBriefScan(of: scan.task.kind, duration) }
    var error: (any Error)?
    if case .failure(let thrown) = ended.outcome { error = thrown }
    let failure = error as? CallFailure
    // The same task comes again with its data, and counts then. One for which this system is unsuited or full goes
    // elsewhere, or comes again.
    let isCounted = failure.map { ![.data, .unsuited, .full].contains($0.fault) } ?? true
    // An own run tells its people itself.
    if let failure, failure.fault == .unsuited || failure.fault == .full && scan.isRemote {
      logNotTaken(scan, failure)
    }
    let ending: AdmissionQueue.Ending =
      if error == nil { .done(in: duration) } else if failure != nil, isCounted {
        .retried
      } else { .uncounted }
    let departure = queue.leave(call, as: ending)
    if isCounted { metrics?.ended(scan.task.kind, error, after: duration) }
    carryOut(departure)
    if departure.resumesService { resume() }
    guard departure.isShared, case .success(var result) = ended.outcome else {
      return ended.outcome
    }
    result.isShared = true
    return .success(result)
  }

  /// Logs why this system is unsuited or full, as often as ``RefusalLog`` allows for a client: the reason may be its own
  /// text.
  private func logNotTaken(_ scan: RunningScan, _ failure: CallFailure) {
    let (client, reason) = (scan.context.clientName, failure.message.bounded)
    let fault = failure.fault == .full ? "has no room for a scan" : "takes no scans of this run"
    let verdict = unsuited.verdict(on: Refusal(host: client, reason: reason), at: clock.now)
    logger.log(
      level: verdict == .suppress ? .debug : .notice, "\(fault): \(reason)",
      metadata: .skynet([.client: client, .scan: "\(scan.task.kind)"]))
    if verdict == .logLast {
      logger.notice("takes no scans of many runs; further ones are not logged for ten minutes")
    }
  }

  private func carryOut(_ departure: AdmissionQueue.Departure) {
    for late in departure.handedBack { late.finish(.failure(CallFailure.outlivesSystem)) }
    if let next = departure.next {
      start(next.call, isBrief: isBrief(next.call), waited: next.waited)
    }
  }

  /// A client leaves too many answers unread, and gets no slot until it reads them: they would fill this machine.
  func noted(_ client: Incarnation, leavesUnread: Bool) {
    guard !leavesUnread else { return queue.leavesUnread(client) }
    queue.reads(client)
    while let departure = queue.nextOnFreeSlot() { carryOut(departure) }
  }

  /// The system has a slot again, after scans that ignored their cancellation had held all slots.
  ///
  /// A peer whose call was handed back sends no more calls over its connection. So this side ends its connections:
  /// the peers connect again, and send calls again.
  private func resume() {
    whenResumed()
    guard actorSystem.servesOthers else { return }
    for link in actorSystem.peers.here({ $0.links }) {
      link.leave(saying: "it has slots again: connect anew")
    }
  }

  // MARK: Brief scans

  /// Whether the scan runs on the engine: a peer asks for it, and it calls itself brief.
  private func isBrief(_ call: ScanCall) -> Bool {
    // A caller with a scan timeout has to hear of the scan's start, which only a scan on a thread reports.
    guard call.context.arrival != nil, !call.task.isTimed, !briefScans.hasOverflowed else {
      return false
    }
    return (try? call.task.work.isBrief) ?? false
  }

  /// Pours the time of a scan that calls itself brief into the leaky bucket.
  private func countBriefScan(of kind: ScanKind, _ duration: Duration) {
    guard briefScans.add(duration) else { return }
    logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      all connections; from now on each scan runs on a thread of its own
      """,
      metadata: .skynet([.scan: "\(kind)"]))
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
    CallContext.$current.withValue(call.context.ofScan(call.task)) {
      // The task outlives the call on purpose, for some seconds: the call has returned by then.
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

  /// Keeps the running scans of a client whose connection broke, if the client has come back after a broken
  /// connection before. Their calls end.
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
