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

  /// Performs a body within a span, which belongs to the context; by default to that of the current task.
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
}

/// `docs/observability.md` lists the spans with their attributes.
extension Spans {
  func engagement<Result>(
    _ run: RunID, of job: some AnyJob, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let attributes: SpanAttributes = [
      "skynet.run": "\(run)", "skynet.name": "\(job.base.name)", "skynet.kind": "\(job.kind)",
      "skynet.sectors": .int64(Int64(job.base.sectorCount)),
    ]
    return try await span("skynet.engagement", kind: .internal, attributes) { _ in
      try await body()
    }
  }

  /// The span of an attempt, from when its slot was granted until its output was checked. An attempt that
  /// failed or was lost is an error; one that was withdrawn is not.
  func attempt(
    _ attempt: Attempt, _ body: () async throws -> FinishedAttempt
  ) async rethrows -> FinishedAttempt {
    var attributes: SpanAttributes = [
      "skynet.sector": .int64(Int64(attempt.task.sector)),
      "skynet.pass": .int64(Int64(attempt.task.pass)),
      "skynet.attempt": .int64(Int64(attempt.ordinal)),
      "skynet.system": "\(attempt.slot.name)",
    ]
    if attempt.isHedge { attributes.set("skynet.hedge", value: .bool(true)) }
    return try await span("skynet.attempt", kind: .client, attributes) { span in
      let finished = try await body()
      switch finished.outcome {
      case .succeeded: break
      // The engagement needs it no more: another attempt was faster, or the run stops.
      case .failed where Task.isCancelled:
        span.updateAttributes { $0.set("skynet.withdrawn", value: "cancelled") }
      case .failed(let reason, _, _), .refused(let reason), .lost(let reason, _, _):
        span.setStatus(SpanStatus(code: .error, message: reason))
      case .withdrawn(let reason, _):
        span.updateAttributes { $0.set("skynet.withdrawn", value: "\(reason)") }
      }
      return finished
    }
  }

  /// The span of a scan, in the process that runs it.
  func scan<Result>(
    _ task: ScanTask, _ caller: CallContext, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let attributes: SpanAttributes = [
      "skynet.run": "\(task.run)",
      "skynet.sector": .int64(Int64(task.id.sector)),
      "skynet.pass": .int64(Int64(task.id.pass)),
      "skynet.kind": "\(task.kind)",
      "skynet.client": "\(caller.clientName)",
    ]
    // Not the current context, but the one that the task has brought: another call's end may have begun this scan.
    var context = InstrumentationContext.topLevel
    if let trace = task.trace { tracer.extract(trace, into: &context, using: trace) }
    return try await span("skynet.scan", in: context, kind: .server, attributes) {
      _ in
      try await body()
    }
  }
}

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
