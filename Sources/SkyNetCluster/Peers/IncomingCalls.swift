import SkyNetCore

/// The calls that the peer of one connection waits for. A cancel frame of the peer cancels one call. When the
/// connection ends, all calls are cancelled and awaited.
struct IncomingCalls {
  enum Call {
    /// A scan, by its number at the system.
    case scan(UInt64)
    /// Any other method.
    case task(Task<Void, Never>)
  }

  private var calls: [UInt64: (call: Call, held: Int)] = [:]
  /// How many bytes these calls came with.
  private var held = 0
  /// Called when the last call has ended.
  private var waiters: [() -> Void] = []
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

  /// Adds a call. The owner must call ``ended(_:)`` after the answer.
  ///
  /// - Throws: `WireError` if a call with this number is running, or if the peer has exceeded a limit.
  mutating func add(_ number: UInt64, holding count: Int, as call: Call) throws(WireError) {
    try check(number, holding: count)
    held += count
    calls[number] = (call, count)
    memory?.changeWhole(by: count)
  }

  /// Checks that the peer may make a call now.
  ///
  /// - Throws: `WireError` if a call with this number is running, or if the peer has exceeded a limit.
  func check(_ number: UInt64, holding count: Int) throws(WireError) {
    guard calls[number] == nil else { throw WireError(.unexpected, "call \(number) came twice") }
    guard calls.count < limit else { throw .tooMuch("calls", calls.count + 1, limit: limit) }
    guard held + count <= heldLimit else {
      throw .tooMuch("bytes of calls", held + count, limit: heldLimit)
    }
  }

  /// A call was answered, and leaves the table.
  mutating func ended(_ number: UInt64) {
    let held = remove(number)
    if held > 0 { memory?.changeWhole(by: -held) }
  }

  /// Removes a call whose scan goes on without this connection. The call's bytes count until the new owner of
  /// its ``HeldBytes`` releases them.
  mutating func handOver(_ number: UInt64) { _ = remove(number) }

  /// Removes a call. Returns how many bytes it came with.
  private mutating func remove(_ number: UInt64) -> Int {
    guard let ended = calls.removeValue(forKey: number) else { return 0 }
    held -= ended.held
    if calls.isEmpty {
      let waiters = waiters
      self.waiters = []
      for waiter in waiters { waiter() }
    }
    return ended.held
  }

  subscript(number: UInt64) -> Call? { calls[number]?.call }

  /// Calls this once, when no call is left: at once, or when the last call ends.
  mutating func whenEmpty(_ body: @escaping () -> Void) {
    if calls.isEmpty { body() } else { waiters.append(body) }
  }

  var all: [Call] { calls.values.map(\.call) }

  /// The scans among the calls, running or waiting, with the bytes that each call came with.
  var scans: [(id: UInt64, scan: UInt64, held: HeldBytes)] {
    calls.compactMap { number, entry in
      guard case .scan(let scan) = entry.call else { return nil }
      return (number, scan, HeldBytes(count: entry.held, memory: memory))
    }
  }
}
