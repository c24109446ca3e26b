import Foundation
import Logging

/// Logs to standard error, one line for each event: `warning: message (key value, …)`. In
/// long-running processes the time comes first.
struct ConsoleLog: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let showsTime: Bool

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let details = all.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let time = showsTime ? Date.now.formatted(.iso8601) + " " : ""
    Console.standardError.line(
      "\(time)\(event.level): \(event.message)"
        + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"))
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
