import SkyNetCore
import Tracing

/// The spans that this module makes. `docs/observability.md` lists them with their attributes.
extension Spans {
  /// The span of an engagement.
  func engagement<Result>(
    _ run: RunID, of job: some AnyJob, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let attributes: SpanAttributes = [
      "skynet.run": "\(run)", "skynet.name": "\(job.name)", "skynet.kind": "\(job.kind)",
      "skynet.sectors": .int64(Int64(job.sectorCount)),
    ]
    return try await span("skynet.engagement", kind: .internal, attributes) { _ in try await body()
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
      case .failed(let reason, _), .refused(let reason), .lost(let reason, _):
        span.setStatus(SpanStatus(code: .error, message: reason))
      case .withdrawn(let reason):
        span.updateAttributes { $0.set("skynet.withdrawn", value: "\(reason)") }
      }
      return finished
    }
  }

  /// The span of a scan, in the process that runs it. It belongs to the attempt's span.
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
    // Not the current context: another call's end may have begun this scan.
    return try await span("skynet.scan", in: context(of: task.trace), kind: .server, attributes) {
      _ in
      try await body()
    }
  }
}
