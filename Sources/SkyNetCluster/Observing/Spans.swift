import SkyNetCore
import Tracing

/// The spans of engagements, attempts and scans, for the process's tracer.
///
/// Without a tracer a process has no spans: nothing is measured, and nothing is added to what travels.
struct Spans: Sendable {
  private let tracer: any Tracer

  /// `nil` if no tracer is set, with `InstrumentationSystem.bootstrap` or `withTracer`.
  init?() {
    let tracer = InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return nil }
    self.tracer = tracer
  }

  /// Performs a body within a span. If it throws, the span says so.
  ///
  /// - Parameter context: the context that the span belongs to; by default that of the current task.
  func span<Result>(
    _ name: String, in context: InstrumentationContext? = nil, kind: SpanKind,
    _ attributes: SpanAttributes, _ body: (any Span) async throws -> Result
  ) async rethrows -> Result {
    let span = tracer.startSpan(
      name, context: context ?? .current ?? .topLevel, ofKind: kind)
    span.updateAttributes { $0.merge(attributes) }
    defer { span.end() }
    do {
      return try await InstrumentationContext.$current.withValue(span.context) {
        try await body(span)
      }
    } catch {
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error, message: "\(error)".bounded))
      throw error
    }
  }

  // MARK: Across the wire

  /// The current span's context, as a task carries it; `nil` if the tracer has nothing to say of it.
  var carrier: TraceCarrier? {
    guard let context = InstrumentationContext.current else { return nil }
    var carrier = TraceCarrier()
    tracer.inject(context, into: &carrier, using: carrier)
    return carrier.isFit ? carrier : nil
  }

  /// The context that a task has brought; the top level if it has brought none.
  func context(of carrier: TraceCarrier?) -> InstrumentationContext {
    var context = InstrumentationContext.topLevel
    if let carrier { tracer.extract(carrier, into: &context, using: carrier) }
    return context
  }
}
