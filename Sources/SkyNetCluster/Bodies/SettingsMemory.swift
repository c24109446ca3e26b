import SkyNetCore
import Synchronization

import struct Foundation.Data

/// Decoded settings by their JSON, as all tasks of a job have the same settings.
///
/// It has a lock, as messages are coded on the engine and on Swift's pool.
final class SettingsMemory: Sendable {
  private typealias Entry = (kind: ScanKind, text: [UInt8], settings: any KnownSettings)

  /// Each task searches all entries, so more of them would cost more than they save.
  private static let limit = 8
  /// Settings of more bytes are not kept, as a peer chooses how long they are.
  private static let greatestLength = 64 * 1024

  private let entries = Mutex<[Entry]>([])

  /// Decodes the settings of a scan, or returns those that were decoded before; `nil` if they have bulk bytes, which
  /// come with each message, or if they cannot be decoded.
  func settings<S: Scan>(
    _ text: JSONText, of scan: S.Type, _ coder: BodyCoder
  ) -> (any KnownSettings)? {
    let kind = S.kind
    let known = entries.withLock { entries in
      entries.first { text.is($0.text) && $0.kind == kind }?.settings
    }
    if let known { return known }
    guard let value = try? coder.decode(S.Settings.self, from: text, bulk: Data()) else {
      return nil
    }
    let settings = SettingsOf<S>(value)
    guard text.count <= Self.greatestLength else { return settings }
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeLast() }
      entries.insert((kind, Array(text), settings), at: 0)
    }
    return settings
  }
}

/// The decoded settings of a job with a scan of any kind.
protocol KnownSettings: AnyObject, Sendable {
  /// The work of a task with these settings.
  func work(of body: BodyReader) throws -> any TaskWork
}

private final class SettingsOf<S: Scan>: KnownSettings {
  private let settings: S.Settings
  /// The type of the sectors, if a number can stand for one. It is looked up once for all tasks, as that takes longer
  /// than to read the number.
  private let numberCoded = S.Sector.self as? any NumberCoded.Type

  init(_ settings: S.Settings) { self.settings = settings }

  func work(of body: BodyReader) throws -> any TaskWork {
    let number = try numberCoded.flatMap { type in
      try body.text("sector").wholeNumber.flatMap(type.init(jsonNumber:))
    }
    return WorkOf<S>(
      settings: settings, settingsJSON: nil,
      sector: try number as? S.Sector ?? body.value("sector", as: S.Sector.self))
  }
}
