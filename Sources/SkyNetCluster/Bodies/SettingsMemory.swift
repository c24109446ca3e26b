import SkyNetCore
import Synchronization

import struct Foundation.Data

/// The settings that were read lately, with their texts: all tasks of a job have the same, which
/// need not be read again for each.
final class SettingsMemory: Sendable {
  private struct Entry {
    let kind: ScanKind
    let text: [UInt8]
    let settings: any KnownSettings
  }

  /// More entries would take longer to look through, for each task, than they save.
  private static let limit = 8
  /// Longer texts are not kept: a peer chooses them.
  private static let longest = 64 * 1024

  private let entries = Mutex<[Entry]>([])

  /// The settings of this text, for this scan; `nil` if they are not understood, or have bulk bytes,
  /// which come anew with each message.
  func settings<S: Scan>(
    _ text: JSONText, for scan: S, _ coder: BodyCoder
  ) -> (any KnownSettings)? {
    let kind = S.kind
    let known = entries.withLock { entries in
      entries.first { text.is($0.text) && $0.kind == kind }?.settings
    }
    if let known { return known }
    // Without bulk bytes: settings that refer to some of them are not read.
    let parts = PartDecoder(coder: coder, bulk: Data())
    guard let value = parts.decode(S.Settings.self, from: text) else { return nil }
    let settings = SettingsOf<S>(value: value)
    guard text.count <= Self.longest else { return settings }
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeLast() }
      entries.insert(Entry(kind: kind, text: Array(text), settings: settings), at: 0)
    }
    return settings
  }
}

/// A job's settings, whatever their scan.
protocol KnownSettings: Sendable {
  /// A task's work with these settings; `nil` if its sector is not understood.
  func work(sector: JSONText, of parts: PartDecoder) -> (any TaskWork)?
}

private struct SettingsOf<S: Scan>: KnownSettings {
  let value: S.Settings

  func work(sector: JSONText, of parts: PartDecoder) -> (any TaskWork)? {
    parts.decode(S.Sector.self, from: sector).map { sector in
      WorkOf<S>(settings: value, settingsJSON: nil, sector: sector)
    }
  }
}
