/// A gate that a scan waits at until a test lets it through.
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

  public init() {}

  /// Waits until the gate is open, or lets this one through.
  ///
  /// - Throws: `CancellationError`, at once, if it is cancelled while it waits.
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

  /// Lets everyone through from now on.
  public func open() {
    state.update { $0.isOpen = true }
  }

  /// Lets this many through: those who have waited longest, then those who come next.
  public func letThrough(_ count: Int = 1) {
    state.update { $0.permits += count }
  }

  /// Waits until this many have come, all told, whether or not they still wait.
  ///
  /// - Throws: `CancellationError`.
  public func arrivals(atLeast count: Int) async throws {
    try await state.wait { $0.arrived >= count }
  }

  /// How many have come, all told.
  public var arrivals: Int { state.value.arrived }

  /// How many wait just now.
  public var waiting: Int { state.value.waiting }
}
