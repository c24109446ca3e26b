/// Slows clients down that ask again and again without a pause, so that they do not use the processor up.
///
/// Of the requests that come within a second, a number is answered at once, and each further one after a short
/// pause. Clients that wait for each answer get at most as many a second as there are connections and pauses in it.
struct RequestPace: Sendable {
  /// A page with all that it loads, for a few viewers at a time.
  static let burst = 100
  static let pause = Duration.milliseconds(50)
  private static let window = Duration.seconds(1)

  private var begin: ContinuousClock.Instant
  private var count = 0

  init(at now: ContinuousClock.Instant) { begin = now }

  /// A request came.
  ///
  /// - Returns: how long its answer is to wait.
  mutating func next(at now: ContinuousClock.Instant) -> Duration {
    if now - begin >= Self.window { (begin, count) = (now, 0) }
    count += 1
    return count <= Self.burst ? .zero : Self.pause
  }
}
