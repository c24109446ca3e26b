public import Logging
import SkyNetCore

/// What the current task works on, for the log messages of whatever code it runs.
struct LogScope {
  let run: RunID
  let sector: Int
  let attempt: Int

  init(_ task: ScanTask) {
    run = task.run
    sector = task.id.sector
    attempt = task.attempt.number
  }

  init(_ attempt: Attempt, of run: RunID) {
    self.run = run
    sector = attempt.task.sector
    self.attempt = attempt.scanAttempt.number
  }

  fileprivate var metadata: Logger.Metadata {
    .skynet([.run: "\(run)", .sector: "\(sector)", .attempt: "\(attempt)"])
  }
}

extension Logger.MetadataProvider {
  /// Names the run, the sector and the attempt that a message belongs to: those of SkyNet itself, and those of a scan's
  /// and a job's own code. A program hands it to `LoggingSystem.bootstrap`.
  public static let skynet = Logger.MetadataProvider { CallContext.current?.scope?.metadata ?? [:] }
}
