import Foundation
import Logging

/// Logs to standard error, one line for each message. In long-running processes the time comes first, unless
/// the format has it in another place.
struct ConsoleLog: LogHandler {
  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  let showsTime: Bool

  init(
    label: String = LogLine.ownLabel, logLevel: Logger.Level,
    metadataProvider: Logger.MetadataProvider? = nil, showsTime: Bool
  ) {
    self.label = label
    self.logLevel = logLevel
    self.metadataProvider = metadataProvider
    self.showsTime = showsTime
  }

  /// Has what is logged printed as lines of the command's own, for a command that does one thing and ends.
  static func begin(from level: Logger.Level = .warning) {
    LoggingSystem.bootstrap { _ in ConsoleLog(logLevel: level, showsTime: false) }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
      .merging(event.metadata ?? [:]) { $1 }
    Console.standardError.log(
      LogLine(level: event.level, label: label, message: "\(event.message)", metadata: all),
      showsTime: showsTime)
    // It may be about what the caller now waits for, and ``Console/run()`` may not have begun.
    if event.level >= .warning { Console.standardError.flushSoon() }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
