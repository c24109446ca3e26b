/// Whether a system can be trusted with work, or fails whatever it is given.
///
/// The intuition: a broken system answers quickly, and so is free again at once and would draw all
/// the work. After five failures in a row it rests, and then gets one attempt at a time until one
/// succeeds; each failure doubles the rest. Tasks that fail everywhere make all systems rest, which
/// tells nothing of any of them: ``Roster`` lets a system rest only while another does not.
struct Trust: Hashable, Sendable {
  /// Scans that fail one time in ten do so once in a hundred thousand.
  private static let failuresInRow = 5

  private enum State: Hashable {
    case trusted
    case rests(until: Instant)
    case onTrial
  }

  private var state = State.trusted
  private var failures = 0
  private var backoff = Backoff(first: .milliseconds(100), limit: .seconds(10))

  init() {}

  /// Of a system that is not to be tried before this instant.
  init(restingUntil end: Instant) { state = .rests(until: end) }

  var isResting: Bool { restEnd != nil }
  var isOnTrial: Bool { state == .onTrial }

  /// When it is to be tried again.
  var restEnd: Instant? {
    if case .rests(let end) = state { end } else { nil }
  }

  mutating func succeeded() {
    guard failures > 0 || state != .trusted else { return }
    self = Trust()
  }

  mutating func failed(at now: Instant) {
    failures += 1
    switch state {
    // What it was given before it rested tells nothing new.
    case .rests: return
    case .trusted where failures < Self.failuresInRow: return
    case .trusted, .onTrial: state = .rests(until: now + backoff.failed())
    }
  }

  mutating func woke(at now: Instant) {
    if let restEnd, restEnd <= now { state = .onTrial }
  }
}
