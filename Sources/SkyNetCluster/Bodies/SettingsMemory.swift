import SkyNetCore
import Synchronization

import struct Foundation.Data

/// Decoded settings by their JSON, as all tasks of a job have the same settings.
///
/// It has a lock, as messages are coded on the engine and on Swift's pool.
final class SettingsMemory: Sendable {
  /// Settings in an object, as a cast to its class is quick.
  private final class Kept<S: Scan>: Sendable {
    let settings: S.Settings
    init(_ settings: S.Settings) { self.settings = settings }
  }

  private typealias Entry = (kind: ScanKind, text: [UInt8], settings: any AnyObject & Sendable)

  /// Each task searches all entries, so more of them would cost more than they save.
  private static let limit = 8
  /// Settings of more bytes are not kept, as a peer chooses how long they are.
  private static let greatestLength = 64 * 1024

  private let entries = Mutex<[Entry]>([])

  /// Decodes the settings of a scan, or returns those that were decoded before; `nil` if they have bulk bytes, which
  /// come with each message, or if they cannot be decoded.
  func settings<S: Scan>(_ text: JSONText, of scan: S.Type, _ coder: BodyCoder) -> S.Settings? {
    let kind = S.kind
    let known = entries.withLock { entries in
      entries.first { text.is($0.text) && $0.kind == kind }?.settings
    }
    if let known { return (known as? Kept<S>)?.settings }
    guard let settings = try? coder.decode(S.Settings.self, from: text, bulk: Data()) else {
      return nil
    }
    guard text.count <= Self.greatestLength else { return settings }
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeLast() }
      entries.insert((kind, Array(text), Kept<S>(settings)), at: 0)
    }
    return settings
  }
}
