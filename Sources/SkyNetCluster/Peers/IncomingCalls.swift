import SkyNetCore

/// The calls that the peer of one connection waits for. A cancel frame of the peer cancels one call. When the
/// connection ends, all calls are cancelled and awaited.
struct IncomingCalls {
  private var calls: [UInt64: (task: Task<Void, Never>?, held: Int)] = [:]
  /// How many bytes these calls came with.
  private var held = 0
  /// Called when the last call has ended.
  private var waiters: [() -> Void] = []
  private let limit: Int
  private let heldLimit: Int
  private let memory: MemoryBudget.Account?

  /// - Parameters:
  ///   - limit: how many calls the peer may have unanswered at a time.
  ///   - held: how many bytes they may have come with, as `memory` counts them.
  init(limit: Int, held: Int, memory: MemoryBudget.Account?) {
    self.limit = limit
    heldLimit = held
    self.memory = memory
  }

  /// Adds a call of the peer. The owner must call ``ended(_:)`` after the answer.
  ///
  /// - Throws: `WireError` if a call with this number is running, or if the peer has exceeded a limit.
  mutating func add(_ number: UInt64, holding count: Int) throws(WireError) {
    guard calls.count < limit else { throw .tooMuch("calls", calls.count + 1, limit: limit) }
    guard held + count <= heldLimit else {
      throw .tooMuch("bytes of calls", held + count, limit: heldLimit)
    }
    // One look at the table is enough, as this runs for every call.
    if let former = calls.updateValue((nil, count), forKey: number) {
      calls[number] = former
      throw WireError(.unexpected, "call \(number) came twice")
    }
    held += count
    memory?.changeWhole(by: count)
  }

  /// The call's task has begun, and may have answered the call already.
  mutating func began(_ number: UInt64, as task: Task<Void, Never>?) {
    if let place = calls.index(forKey: number) { calls.values[place].task = task }
  }

  /// A call was answered, and leaves the table. Returns what is to be called if it was the last one.
  mutating func ended(_ number: UInt64) -> [() -> Void] {
    guard let ended = calls.removeValue(forKey: number) else { return [] }
    held -= ended.held
    if ended.held > 0 { memory?.changeWhole(by: -ended.held) }
    guard calls.isEmpty else { return [] }
    defer { waiters = [] }
    return waiters
  }

  subscript(number: UInt64) -> Task<Void, Never>? { calls[number]?.task }

  var isEmpty: Bool { calls.isEmpty }

  mutating func afterLast(_ body: @escaping () -> Void) { waiters.append(body) }

  var all: [Task<Void, Never>] { calls.values.compactMap(\.task) }
}
