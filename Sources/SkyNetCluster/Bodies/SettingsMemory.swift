import SkyNetCore
import Synchronization

import struct Foundation.Data

/// Decoded settings by their JSON, as all tasks of a job have the same settings.
///
/// It has a lock, as messages are coded on the engine and on Swift's pool.
final class SettingsMemory: Sendable {
  /// Each task searches all entries, so more of them would cost more than they save.
  private static let limit = 8
  /// Settings of more bytes are not kept, as a peer chooses how long they are.
  private static let greatestLength = 64 * 1024

  private let entries = Mutex<[KnownSettings]>([])

  /// Returns the settings of a kind if they were decoded before.
  func known(_ text: JSONText, of kind: ScanKind) -> KnownSettings? {
    entries.withLock { entries in entries.first { text.is($0.text) && $0.kind == kind } }
  }

  /// Decodes the settings of a scan; `nil` if they have bulk bytes, which come with each message, or if they cannot be
  /// decoded.
  func decode<S: Scan>(
    _ text: JSONText, of scan: S, _ kind: ScanKind, _ coder: BodyCoder
  ) -> KnownSettings? {
    guard let value = try? coder.decode(S.Settings.self, from: text, bulk: Data()) else {
      return nil
    }
    let settings = KnownSettings(kind, Array(text), SettingsOf(scan, value))
    guard text.count <= Self.greatestLength else { return settings }
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeLast() }
      entries.insert(settings, at: 0)
    }
    return settings
  }
}

/// The decoded settings of a job with a scan of any kind.
final class KnownSettings: Sendable {
  let kind: ScanKind
  fileprivate let text: [UInt8]
  private let settings: any AnySettings
  /// The same, if a number can stand for a sector.
  private let ofNumbers: (any NumberedSettings)?

  fileprivate init(_ kind: ScanKind, _ text: [UInt8], _ settings: any AnySettings) {
    self.kind = kind
    self.text = text
    self.settings = settings
    ofNumbers = settings as? any NumberedSettings
  }

  /// Decodes the settings of a scan from the member of a body that has them. They are not found again by their text.
  ///
  /// - Throws: `DecodingError`.
  convenience init<S: Scan>(
    of scan: S, _ kind: ScanKind, _ body: BodyReader, _ key: some BodyKey
  ) throws {
    self.init(kind, [], SettingsOf(scan, try body.value(key, as: S.Settings.self)))
  }

  /// The work of a task with these settings.
  ///
  /// - Parameter sector: the key of the sector.
  func work(of body: BodyReader, _ sector: some BodyKey) throws -> any TaskWork {
    if let ofNumbers, let number = try body.text(sector).wholeNumber {
      return ofNumbers.work(ofSector: number)
    }
    return try settings.work(of: body, sector)
  }
}

private protocol AnySettings: AnyObject, Sendable {
  func work(of body: BodyReader, _ sector: some BodyKey) throws -> any TaskWork
}

private protocol NumberedSettings: AnyObject, Sendable {
  func work(ofSector number: Int) -> any TaskWork
}

private final class SettingsOf<S: Scan>: AnySettings {
  private let own: OwnScan<S>
  private let settings: S.Settings

  init(_ scan: S, _ settings: S.Settings) {
    own = OwnScan(scan)
    self.settings = settings
  }

  func work(of body: BodyReader, _ sector: some BodyKey) throws -> any TaskWork {
    WorkOf<S>(of: own, settings: settings, sector: try body.value(sector, as: S.Sector.self))
  }
}

extension SettingsOf: NumberedSettings where S.Sector: NumberCoded {
  func work(ofSector number: Int) -> any TaskWork {
    WorkOf<S>(of: own, settings: settings, sector: S.Sector(jsonNumber: number))
  }
}
