public import Logging
import SkyNetCore

/// The metadata keys of this module's log messages.
enum LogKey: String {
  case node, peer, client, run, sector, attempt, scan, scans, reason, slots, timeout, lifetime
  case idleTimeout = "idle timeout"
  case slotsLeft = "slots left"
}

extension Logger.Metadata {
  /// Metadata with these keys.
  static func skynet(_ values: [LogKey: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: values.map { ($0.key.rawValue, .string($0.value)) })
  }
}

/// What the current task works on, for the log messages of whatever code it runs.
struct LogScope {
  let run: RunID
  let sector: Int
  let attempt: Int

  fileprivate var metadata: Logger.Metadata {
    .skynet([.run: "\(run)", .sector: "\(sector)", .attempt: "\(attempt)"])
  }
}

extension Logger.MetadataProvider {
  /// Names the run, the sector and the attempt that a message belongs to: those of SkyNet itself, and those of a scan's
  /// and a job's own code. A program hands it to `LoggingSystem.bootstrap`.
  public static let skynet = Logger.MetadataProvider { CallContext.current?.scope?.metadata ?? [:] }
}
