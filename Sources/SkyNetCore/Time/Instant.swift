/// A point in time, counted from an origin that its clock chose.
///
/// Decisions take the time as an argument, so that tests can choose it. Instants of different
/// clocks cannot be compared, and none has to do with the time of day.
public struct Instant: InstantProtocol {
  /// The time since the clock's origin.
  public var sinceOrigin: Duration

  /// Makes the instant so long after the clock's origin, by default the origin itself.
  public init(sinceOrigin: Duration = .zero) {
    self.sinceOrigin = sinceOrigin
  }

  public func advanced(by duration: Duration) -> Instant {
    Instant(sinceOrigin: sinceOrigin + duration)
  }

  public func duration(to other: Instant) -> Duration { other.sinceOrigin - sinceOrigin }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    instant.advanced(by: duration)
  }

  package static func - (instant: Instant, duration: Duration) -> Instant {
    instant.advanced(by: .zero - duration)
  }

  public static func < (a: Instant, b: Instant) -> Bool { a.sinceOrigin < b.sinceOrigin }
}

extension Duration {
  /// This duration in seconds, for people and for JSON.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Clocks count whole nanoseconds. Up to a hundred days their number is exact, and the quotient
    // is the `Double` nearest to the time, which is short when written.
    guard rest == 0, abs(seconds) < 9_000_000 else {
      return Double(seconds) + Double(attoseconds) * 1e-18
    }
    return Double(seconds * 1_000_000_000 + nanoseconds) / 1e9
  }

  /// This duration in seconds to one decimal: `17.3`.
  public var inTenths: String {
    let tenths = (inSeconds * 10).rounded()
    return "\(tenths / 10)"
  }
}
