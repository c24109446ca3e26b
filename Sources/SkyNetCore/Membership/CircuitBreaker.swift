/// A circuit breaker for one system, which keeps work from a system that fails whatever it is given
/// (Nygard 2007, "Release It!").
///
/// A broken system answers quickly, is free again at once, and so would draw all the work. After five
/// failures in a row the breaker opens, and the system gets nothing. Later the breaker is half open,
/// and the system gets one attempt at a time until one succeeds, which closes the breaker. Each
/// failure opens it for twice as long. Tasks that fail everywhere open all breakers, which says
/// nothing about any system. So ``Roster`` heeds an open one only while another is not open.
struct CircuitBreaker: Hashable, Sendable {
  /// A scan that fails one time in ten fails this often in a row once in a hundred thousand times.
  private static let failuresInRow = 5

  private enum State: Hashable {
    case closed
    case open(until: Instant)
    case halfOpen
  }

  private var state = State.closed
  private(set) var failures = 0
  private var backoff = Backoff(first: .milliseconds(100), limit: .seconds(10))

  init() {}
  init(openUntil end: Instant) { state = .open(until: end) }

  var isOpen: Bool { openUntil != nil }
  var isHalfOpen: Bool { state == .halfOpen }
  var isClosed: Bool { state == .closed }

  /// When an open breaker becomes half open; `nil` if it is not open.
  var openUntil: Instant? {
    if case .open(let end) = state { end } else { nil }
  }

  mutating func succeeded() {
    guard failures > 0 || state != .closed else { return }
    self = CircuitBreaker()
  }

  mutating func failed(at now: Instant) {
    failures += 1
    switch state {
    // Attempts from before the breaker opened say nothing new.
    case .open: return
    case .closed where failures < Self.failuresInRow: return
    case .closed, .halfOpen: state = .open(until: now + backoff.failed())
    }
  }

  mutating func woke(at now: Instant) {
    if let openUntil, openUntil <= now { state = .halfOpen }
  }
}
