import SkyNetCore
import Synchronization

import struct Foundation.Data

/// A cache of decoded settings by their JSON. All tasks of a job have the same settings, which then need not be
/// decoded for each task.
///
/// It has a lock, as messages are coded on the engine and on Swift's pool.
final class SettingsMemory: Sendable {
  private struct Entry {
    let kind: ScanKind
    let text: [UInt8]
    let settings: any KnownSettings
  }

  /// How many settings are kept. Each task searches all entries, so more of them would cost more than they
  /// save.
  private static let limit = 8
  /// Settings of more bytes are not kept, as a peer chooses how long they are.
  private static let greatestLength = 64 * 1024

  private let entries = Mutex<[Entry]>([])

  /// Decodes the settings of a scan, or returns those that were decoded before; `nil` if the text cannot be
  /// decoded here, or if the settings have bulk bytes, which come with each message.
  func settings<S: Scan>(
    _ text: JSONText, for scan: S, _ coder: BodyCoder
  ) -> (any KnownSettings)? {
    let kind = S.kind
    let known = entries.withLock { entries in
      entries.first { text.is($0.text) && $0.kind == kind }?.settings
    }
    if let known { return known }
    // There are no bulk bytes here, so settings that refer to some cannot be decoded.
    let parts = PartDecoder(coder: coder, bulk: Data())
    guard let value = parts.decode(S.Settings.self, from: text) else { return nil }
    let settings = SettingsOf<S>(value: value)
    guard text.count <= Self.greatestLength else { return settings }
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeLast() }
      entries.insert(Entry(kind: kind, text: Array(text), settings: settings), at: 0)
    }
    return settings
  }
}

/// The decoded settings of a job with a scan of any kind.
protocol KnownSettings: Sendable {
  /// The work of a task with these settings; `nil` if its sector cannot be decoded here.
  func work(sector: JSONText, of parts: PartDecoder) -> (any TaskWork)?
}

private struct SettingsOf<S: Scan>: KnownSettings {
  let value: S.Settings
  /// The type of the sectors, if a number can stand for one. It is looked up once for all tasks, as that takes
  /// longer than to read the number.
  private let numberCoded = S.Sector.self as? any NumberCoded.Type

  init(value: S.Settings) { self.value = value }

  func work(sector: JSONText, of parts: PartDecoder) -> (any TaskWork)? {
    let number = numberCoded.flatMap { type in sector.wholeNumber.flatMap(type.init(jsonNumber:)) }
    guard let sector = number as? S.Sector ?? parts.decode(S.Sector.self, from: sector) else {
      return nil
    }
    return WorkOf<S>(settings: value, settingsJSON: nil, sector: sector)
  }
}
