/// A gate at which scans wait until a test lets them through.
///
/// ```swift
/// let gate = Gate()
/// // in the scan
/// try await gate.pass()
/// // in the test
/// try await gate.arrivals(atLeast: 2)
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct State {
    var arrived = 0
    var waiting = 0
    var permits = 0
    var isOpen = false
  }

  private let state = Watched(State())

  /// Makes a gate that is closed.
  public init() {}

  /// Waits until the gate is open, or lets this caller through.
  ///
  /// - Throws: `CancellationError`, at once, if the caller is cancelled while it waits.
  public func pass() async throws {
    state.update { state in
      state.arrived += 1
      state.waiting += 1
    }
    try await state.take {
      $0.waiting -= 1
    } _: { state -> Void? in
      guard state.isOpen || state.permits > 0 else { return nil }
      if !state.isOpen { state.permits -= 1 }
      state.waiting -= 1
      return ()
    }
  }

  /// Lets all callers through: the waiting ones, and all that come later.
  public func open() {
    state.update { $0.isOpen = true }
  }

  /// Lets this many callers through: first the ones that have waited longest, then the next ones to come.
  public func letThrough(_ count: Int = 1) {
    state.update { $0.permits += count }
  }

  /// Waits until this many callers have come to the gate in all, whether or not they still wait.
  ///
  /// - Throws: `CancellationError`.
  public func arrivals(atLeast count: Int) async throws {
    try await state.wait { $0.arrived >= count }
  }

  /// How many callers have come to the gate in all.
  public var arrivals: Int { state.value.arrived }

  /// How many callers wait at present.
  public var waiting: Int { state.value.waiting }
}
