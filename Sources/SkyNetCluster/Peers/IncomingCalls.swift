import SkyNetCore
import Synchronization

/// The calls that one connection's peer waits for. Its cancel frame cancels one, and when the
/// connection ends all are cancelled, and awaited.
final class IncomingCalls: Sendable {
  private enum Call {
    case scan(ScanCall)
    /// Any other method.
    case task(Task<Void, Never>)

    func cancel() {
      switch self {
      case .scan(let scan): scan.cancel()
      case .task(let task): task.cancel()
      }
    }
  }

  private struct State {
    var calls: [UInt64: (call: Call, held: Int)] = [:]
    /// The bytes that they came with.
    var held = 0
    /// Tasks that wait for the last one to end.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let limit: Int
  private let heldLimit: Int
  private let memory: MemoryBudget.Account?

  /// - Parameters:
  ///   - limit: how many calls there may be at a time.
  ///   - held: how many bytes they may have come with.
  ///   - memory: told of these bytes.
  init(limit: Int, held: Int, memory: MemoryBudget.Account?) {
    self.limit = limit
    heldLimit = held
    self.memory = memory
  }

  /// Takes a call as a scan that is to begin. ``ended(_:)`` has to follow.
  ///
  /// - Throws: `WireError` if a call with this id is running, or too much.
  func took(_ id: UInt64, holding count: Int, as scan: ScanCall) throws(WireError) {
    try state.withLock { state throws(WireError) in
      try check(id, holding: count, state)
      state.held += count
      state.calls[id] = (.scan(scan), count)
    }
    memory?.changeWhole(by: count)
  }

  /// Takes a call, and begins to perform it as a task.
  ///
  /// - Throws: `WireError` if a call with this id is running, or too much.
  func begin(
    _ id: UInt64, holding count: Int, on executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable () async -> Void
  ) throws(WireError) {
    try state.withLock { state throws(WireError) in
      try check(id, holding: count, state)
      state.held += count
      let task = Task(executorPreference: executor) {
        await body()
        // Not before the task is in the table: that happens under the same lock.
        self.ended(id)
      }
      state.calls[id] = (.task(task), count)
    }
    memory?.changeWhole(by: count)
  }

  /// Refuses a call that may not come now.
  ///
  /// - Throws: `WireError` if a call with this id is running, or too much.
  func check(_ id: UInt64, holding count: Int) throws(WireError) {
    try state.withLock { state throws(WireError) in try check(id, holding: count, state) }
  }

  private func check(_ id: UInt64, holding count: Int, _ state: State) throws(WireError) {
    guard state.calls[id] == nil else {
      throw WireError(.unexpected, "call \(id) came twice")
    }
    guard state.calls.count < limit else {
      throw .tooMuch("calls", state.calls.count + 1, limit: limit)
    }
    guard state.held + count <= heldLimit else {
      throw .tooMuch("bytes of calls", state.held + count, limit: heldLimit)
    }
  }

  /// A call was answered.
  func ended(_ id: UInt64) {
    let held = remove(id)
    if held > 0 { memory?.changeWhole(by: -held) }
  }

  /// Returns the bytes that the call came with.
  private func remove(_ id: UInt64) -> Int {
    let (held, waiters) = state.withLock {
      state -> (Int, [CheckedContinuation<Void, Never>]) in
      guard let ended = state.calls.removeValue(forKey: id) else { return (0, []) }
      state.held -= ended.held
      guard state.calls.isEmpty else { return (ended.held, []) }
      defer { state.waiters = [] }
      return (ended.held, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return held
  }

  func cancel(_ id: UInt64) {
    state.withLock { $0.calls[id]?.call }?.cancel()
  }

  /// Returns when no call is left.
  func finish() async {
    await withCheckedContinuation { waiter in
      let isEmpty = state.withLock { state in
        if !state.calls.isEmpty { state.waiters.append(waiter) }
        return state.calls.isEmpty
      }
      if isEmpty { waiter.resume() }
    }
  }

  /// Its scans, running or waiting, with the bytes that their calls count as.
  var scans: [(id: UInt64, call: ScanCall, held: HeldBytes)] {
    state.withLock { state in
      state.calls.compactMap { id, entry in
        guard case .scan(let scan) = entry.call else { return nil }
        return (id, scan, HeldBytes(count: entry.held, memory: memory))
      }
    }
  }

  /// A call is no longer this connection's. Its bytes count until they are released.
  func handedOver(_ id: UInt64) { _ = remove(id) }

  /// Cancels what is left, and returns when it has ended.
  func end() async {
    let left = state.withLock { state in state.calls.values.map(\.call) }
    for call in left { call.cancel() }
    await finish()
  }
}
