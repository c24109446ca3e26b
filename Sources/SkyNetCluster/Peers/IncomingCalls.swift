import SkyNetCore
import Synchronization

/// The calls that the peer of one connection waits for. A cancel frame of the peer cancels one call. When the
/// connection ends, all calls are cancelled and awaited.
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
    /// How many bytes these calls came with.
    var held = 0
    /// Called when the last call has ended.
    var waiters: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let limit: Int
  private let heldLimit: Int
  private let memory: MemoryBudget.Account?

  /// - Parameters:
  ///   - limit: how many calls the peer may have unanswered at a time.
  ///   - held: how many bytes these calls may have come with.
  ///   - memory: the account that counts these bytes.
  init(limit: Int, held: Int, memory: MemoryBudget.Account?) {
    self.limit = limit
    heldLimit = held
    self.memory = memory
  }

  /// Adds a call whose scan the caller will begin. The caller must call ``ended(_:)`` after the answer.
  ///
  /// - Throws: `WireError` if a call with this id is running, or if the peer has exceeded a limit.
  func add(_ id: UInt64, holding count: Int, as scan: ScanCall) throws(WireError) {
    try state.withLock { state throws(WireError) in
      try check(id, holding: count, state)
      state.held += count
      state.calls[id] = (.scan(scan), count)
    }
    memory?.changeWhole(by: count)
  }

  /// Adds a call, and performs it in a task of its own.
  ///
  /// - Throws: `WireError` if a call with this id is running, or if the peer has exceeded a limit.
  func begin(
    _ id: UInt64, holding count: Int, on executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable () async -> Void
  ) throws(WireError) {
    try state.withLock { state throws(WireError) in
      try check(id, holding: count, state)
      state.held += count
      let task = Task(executorPreference: executor) {
        await body()
        // `ended` takes the lock that is held here, so it cannot come before the task is in the table.
        self.ended(id)
      }
      state.calls[id] = (.task(task), count)
    }
    memory?.changeWhole(by: count)
  }

  /// Checks that the peer may make a call now.
  ///
  /// - Throws: `WireError` if a call with this id is running, or if the peer has exceeded a limit.
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

  /// A call was answered, and leaves the table.
  func ended(_ id: UInt64) {
    let held = remove(id)
    if held > 0 { memory?.changeWhole(by: -held) }
  }

  /// Removes a call. Returns how many bytes it came with.
  private func remove(_ id: UInt64) -> Int {
    let (held, waiters) = state.withLock {
      state -> (Int, [@Sendable () -> Void]) in
      guard let ended = state.calls.removeValue(forKey: id) else { return (0, []) }
      state.held -= ended.held
      guard state.calls.isEmpty else { return (ended.held, []) }
      defer { state.waiters = [] }
      return (ended.held, state.waiters)
    }
    for waiter in waiters { waiter() }
    return held
  }

  func cancel(_ id: UInt64) {
    state.withLock { $0.calls[id]?.call }?.cancel()
  }

  /// Waits until no call is left.
  func waitUntilEmpty() async {
    await withCheckedContinuation { waiter in whenEmpty { waiter.resume() } }
  }

  /// Calls this once, when no call is left: at once, or on the thread that ends the last call.
  func whenEmpty(_ body: @escaping @Sendable () -> Void) {
    let isEmpty = state.withLock { state in
      if !state.calls.isEmpty { state.waiters.append(body) }
      return state.calls.isEmpty
    }
    if isEmpty { body() }
  }

  /// The scans among the calls, running or waiting, with the bytes that each call came with.
  var scans: [(id: UInt64, call: ScanCall, held: HeldBytes)] {
    state.withLock { state in
      state.calls.compactMap { id, entry in
        guard case .scan(let scan) = entry.call else { return nil }
        return (id, scan, HeldBytes(count: entry.held, memory: memory))
      }
    }
  }

  /// Removes a call whose scan goes on without this connection. The call's bytes count until the new owner of
  /// its ``HeldBytes`` releases them.
  func handOver(_ id: UInt64) { _ = remove(id) }

  /// Cancels all calls, and waits until they have ended.
  func cancelAll() async {
    let left = state.withLock { state in state.calls.values.map(\.call) }
    for call in left { call.cancel() }
    await waitUntilEmpty()
  }
}
