import SkyNetCore
import Tracing

/// A span's context on its way to another process: the names and values that the sender's tracer writes and the
/// receiver's reads, such as `traceparent` of the W3C's Trace Context.
///
/// A scan counts for more than its span. So a context that is too large, or that cannot be read, is left out,
/// and its scan is served all the same.
struct TraceCarrier: Hashable, Sendable {
  /// How many values a context has at most, and how many bytes of text.
  static let (countLimit, byteLimit) = (16, 4096)

  private(set) var values: [String: String] = [:]

  init() {}

  /// What a peer has sent; `nil` if it is not fit.
  init?(_ values: [String: String]) {
    self.values = values
    guard isFit else { return nil }
  }

  /// Whether there is anything to send, within the limits.
  var isFit: Bool {
    !values.isEmpty && values.count <= Self.countLimit
      && values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= Self.byteLimit
  }
}

extension TraceCarrier: Injector, Extractor {
  typealias Carrier = TraceCarrier

  func inject(_ value: String, forKey key: String, into carrier: inout TraceCarrier) {
    carrier.values[key] = value
  }

  func extract(key: String, from carrier: TraceCarrier) -> String? { carrier.values[key] }
}
