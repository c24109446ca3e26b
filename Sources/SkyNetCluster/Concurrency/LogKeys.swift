import Logging

/// The metadata keys of this module's log messages.
enum LogKey: String {
  case node, peer, client, run, sector, attempt, scan, scans, reason, slots, timeout
  case lifetime
  case idleTimeout = "idle timeout"
  case slotsLeft = "slots left"
}

extension Logger.Metadata {
  /// Metadata with these keys.
  static func skynet(_ values: [LogKey: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: values.map { ($0.key.rawValue, .string($0.value)) })
  }
}
