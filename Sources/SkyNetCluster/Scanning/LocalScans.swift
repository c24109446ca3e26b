import Logging
import SkyNetCore
import Synchronization

/// Runs scans on this machine: each when there is a slot for it, and on a thread of its own; brief
/// ones where their calls arrive.
///
/// A class, as each scan's closures hold it.
final class LocalScans: Sendable {
  /// How long a scan may go on after it was cancelled before that is said.
  private static let cancellationGrace = Duration.seconds(1)

  let gate: SlotGate
  let orphans: OrphanedScans
  private let threads: ScanThreads
  private let registry: ScanRegistry
  private let clock: any ClusterClock
  private let logger: Logger
  /// Called when there is a slot again after such scans had held all.
  private let onServingAgain: @Sendable () -> Void
  private let briefScans = Mutex(LeakyBucket.briefScans)

  init(
    slots: Int, registry: ScanRegistry, clock: any ClusterClock, logger: Logger,
    onServingAgain: @escaping @Sendable () -> Void
  ) {
    gate = SlotGate(slots: slots, clock: clock)
    orphans = OrphanedScans(slots: slots)
    threads = ScanThreads(count: slots)
    self.registry = registry
    self.clock = clock
    self.logger = logger
    self.onServingAgain = onServingAgain
  }

  /// Scans a sector when it is its turn. Cancelling returns at once, whether or not the scan heeds
  /// it.
  func run(_ task: ScanTask, for context: CallContext) async throws -> ScanResult {
    let call = ScanCall()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(task, for: context, as: call) { continuation.resume(with: $0) }
      }
    } onCancel: {
      call.cancel()
    }
  }

  /// The same for who does not wait: `whenDone` is told the outcome, once, on any thread; at once if
  /// the call is cancelled.
  func begin(
    _ task: ScanTask, for context: CallContext, as call: ScanCall,
    whenDone: @escaping ScanCall.WhenDone
  ) {
    guard call.begin(whenDone) else { return }
    let ticket = gate.enter(task.id, isHedge: task.isHedge, context: context) { ticket, admission in
      do throws(CallFailure) {
        let waited = try admission.get()
        let place = self.place(for: task, from: context)
        // The answer of a brief one says as much.
        if place == nil { context.onStart(.zero) }
        call.started(
          self.scan(task, at: place, for: context, with: ticket, waited: waited, as: call))
      } catch {
        call.finish(.failure(error))
      }
    }
    call.waits(with: ticket) { isRunning in
      do throws(IllegalEvent) {
        if try !self.gate.withdraw(ticket), isRunning { self.watchCancelled(ticket, of: task) }
      } catch {
        self.logger.critical("\(error)")
      }
    }
    if !orphans.isEmpty, gate.isWaiting(ticket) { orphans.giveWay(to: context.client) }
  }

  /// Takes nothing new from now on, and hands back what waits. Scans without a caller end: nobody can
  /// come for them any more.
  func drain() {
    gate.drain()
    orphans.close()
  }

  /// How long a call's scan has run; none if it waits, or has ended.
  func runningTime(of call: ScanCall) -> Duration { call.ticket.flatMap(gate.runningTime) ?? .zero }

  private func scan(
    _ task: ScanTask, at place: (any TaskExecutor)?, for context: CallContext,
    with ticket: SlotGate.Ticket, waited: Duration, as call: ScanCall
  ) -> Task<Void, Never> {
    Task(executorPreference: place ?? threads) { [self] in
      let begin = clock.now
      let end: Result<AnyOutput, any Error>
      do {
        // Whoever frees a slot gets here from within another call's task.
        end = .success(
          try await CallContext.$current.withValue(context) { try await task.run(in: registry) })
      } catch {
        end = .failure(error)
      }
      let duration = begin.duration(to: clock.now)
      if place != nil { judge(task, duration) }
      let (isShared, servesAgain): (Bool, Bool)
      do throws(IllegalEvent) {
        (isShared, servesAgain) = try gate.leave(ticket)
      } catch {
        logger.critical("\(error)")
        return call.finish(.failure(CallFailure(.system, "\(error)")))
      }
      if servesAgain { onServingAgain() }
      switch end {
      case .success(let output):
        logger.debug(
          "scanned",
          metadata: .skynet([.sector: "\(task.id.sector)", .client: context.clientName]))
        var result = ScanResult(
          kind: task.kind, output: output, seconds: duration.inSeconds,
          queuedSeconds: waited.inSeconds)
        result.isShared = isShared
        call.finish(.success(result))
      case .failure(let error as CancellationError): call.finish(.failure(error))
      case .failure(let error):
        var failure = CallFailure(error)
        failure.seconds = duration.inSeconds
        call.finish(.failure(failure))
      }
    }
  }

  /// Where a brief scan runs; `nil` is on one of the threads.
  private func place(for task: ScanTask, from context: CallContext) -> (any TaskExecutor)? {
    // Whoever counts its time has to hear of its start.
    guard let arrivals = context.arrivals, !task.isTimed, task.isBrief(in: registry),
      !briefScans.withLock({ $0.hasOverflowed })
    else { return nil }
    return arrivals
  }

  /// A scan that calls itself brief took this long.
  private func judge(_ task: ScanTask, _ duration: Duration) {
    guard briefScans.withLock({ $0.add(duration) }) else { return }
    logger.warning(
      """
      scans that call themselves brief take long, the last one \(duration.inTenths) s, and hold up \
      their connections; from now on each scan runs on a thread of its own
      """,
      metadata: .skynet([.sector: "\(task.id.sector)", .scan: "\(task.kind)"]))
  }

  private func watchCancelled(_ ticket: SlotGate.Ticket, of task: ScanTask) {
    // Outlives the call on purpose, for a second: the call has returned by then.
    Task { [self] in
      try? await clock.sleep(until: clock.now + Self.cancellationGrace)
      let left: Int?
      do throws(IllegalEvent) {
        left = try gate.countOutIfHeld(ticket)
      } catch {
        return logger.critical("\(error)")
      }
      guard let left else { return }
      logger.warning(
        "a scan ignores that it was cancelled, and keeps its slot",
        metadata: .skynet([
          .sector: "\(task.id.sector)", .scan: "\(task.kind)", .slotsLeft: "\(left)",
        ]))
    }
  }
}
