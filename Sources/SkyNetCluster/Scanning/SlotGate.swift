import SkyNetCore
import Synchronization

/// The way to a system's slots: callers wait here until `ServingQueue` lets them in.
final class SlotGate: Sendable {
  typealias Ticket = ServingQueue.CallID

  private struct Entry {
    let context: CallContext
    let task: TaskID
    let arrival: Instant
    var start: Instant?
    /// The caller, while it waits.
    var waiter: CheckedContinuation<Void, any Error>?
  }

  private struct State {
    var queue: ServingQueue
    var entries: [Ticket: Entry] = [:]
    var nextTicket: Ticket = 0
    var served: [String: Int] = [:]
  }

  private let state: Mutex<State>
  private let clock: any ClusterClock

  init(slots: Int, clock: any ClusterClock) {
    state = Mutex(State(queue: ServingQueue(slots: slots)))
    self.clock = clock
  }

  /// Waits for a slot, and returns what to ``leave(_:)`` with, and for how long it waited.
  ///
  /// - Throws: `CallFailure` if the system takes nothing new; `CancellationError`.
  func enter(_ task: TaskID, context: CallContext) async throws -> (Ticket, waited: Duration) {
    let arrival = clock.now
    let (ticket, answer) = state.withLock { state in
      state.nextTicket += 1
      let ticket = state.nextTicket
      let answer = state.queue.arrived(ticket, from: context.client, at: arrival)
      if answer != .refuse {
        state.entries[ticket] = Entry(
          context: context, task: task, arrival: arrival, start: answer == .start ? arrival : nil)
      }
      return (ticket, answer)
    }
    switch answer {
    case .refuse: throw CallFailure.draining
    case .start: return (ticket, .zero)
    case .wait: try await wait(ticket)
    }
    return (ticket, arrival.duration(to: clock.now))
  }

  private func wait(_ ticket: Ticket) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Its turn, a drain or a cancellation may have come before it began to wait.
        let answer = state.withLock { state -> Result<Void, any Error>? in
          guard let entry = state.entries[ticket] else {
            return .failure(state.queue.isDraining ? CallFailure.draining : CancellationError())
          }
          if entry.start != nil { return .success(()) }
          state.entries[ticket]?.waiter = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      withdraw(ticket)
    }
  }

  /// The scan ended; the slot goes to whoever is next.
  func leave(_ ticket: Ticket) {
    let now = clock.now
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if let entry = state.entries.removeValue(forKey: ticket) {
        state.served[entry.context.clientName, default: 0] += 1
      }
      guard let next = state.queue.ended(ticket, at: now) else { return nil }
      state.entries[next]?.start = now
      return state.entries[next]?.waiter.take()
    }
    waiter?.resume()
  }

  /// Whether the ticket's scan still holds its slot.
  func isHeld(_ ticket: Ticket) -> Bool { state.withLock { $0.entries[ticket] != nil } }

  /// Takes nothing new, and hands back what waits.
  func drain() {
    let waiters = state.withLock { state in
      state.queue.drain().compactMap { state.entries.removeValue(forKey: $0)?.waiter }
    }
    for waiter in waiters { waiter.resume(throwing: CallFailure.draining) }
  }

  /// How many calls run or wait.
  var count: Int { state.withLock { $0.queue.runningCount + $0.queue.waitingCount } }

  var status: ServingStatus {
    let now = clock.now
    return state.withLock { state in
      var status = ServingStatus(slots: state.queue.slots, done: state.served)
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

  private func withdraw(_ ticket: Ticket) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let entry = state.entries[ticket], entry.start == nil,
        state.queue.withdrew(ticket, of: entry.context.client)
      else { return nil }
      return state.entries.removeValue(forKey: ticket)?.waiter
    }
    waiter?.resume(throwing: CancellationError())
  }
}

extension CallFailure {
  static let draining = CallFailure(.draining, "the system is shutting down")
}
