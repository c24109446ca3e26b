/// A point in time, counted from an origin that one clock chose.
///
/// Decisions take the time as an argument, so that a test can choose it. Instants of different
/// clocks do not compare, and none has to do with the time of day.
public struct Instant: InstantProtocol {
  /// The time since the clock's origin.
  public var sinceOrigin: Duration

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

  public static func < (a: Instant, b: Instant) -> Bool { a.sinceOrigin < b.sinceOrigin }
}

extension Duration {
  /// This duration in seconds, for what people and JSON read.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Clocks count nanoseconds; their number is exact up to a hundred days, and the quotient the
    // nearest to it that there is, which is short when it is written.
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
