import Logging

/// The keys of everything that is logged here.
enum LogKey: String {
  case node, peer, client, sector, scan, reason, slots
  case slotsLeft = "slots left"
}

extension Logger.Metadata {
  /// Metadata under this package's keys.
  static func skynet(_ values: [LogKey: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: values.map { ($0.key.rawValue, .string($0.value)) })
  }
}
