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
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// This duration in seconds to one decimal: `17.3`.
  public var inTenths: String {
    let tenths = (inSeconds * 10).rounded()
    return "\(tenths / 10)"
  }
}
