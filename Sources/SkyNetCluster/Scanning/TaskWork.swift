// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import SkyNetCore

/// The settings and the sector of a task of any kind.
///
/// Only classes conform to the protocol: a task is copied often on its way, and each copy of a generic struct
/// would look its type up.
protocol TaskWork: AnyObject, Sendable {
  func scan(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable
  /// See `Scan.isBrief(_:settings:)`.
  func isBrief(for scan: any Scan) -> Bool
  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws
  /// Writes the settings' JSON. Returns `false` if the task has to be encoded as a whole.
  func writeSettings(to parts: inout PartEncoder) -> Bool
  /// Writes the sector's JSON. Returns `false` if the task has to be encoded as a whole.
  func writeSector(to parts: inout PartEncoder) -> Bool
}

/// The settings and the sector of a task with a scan of type `S`.
final class WorkOf<S: Scan>: TaskWork {
  let settings: S.Settings
  /// The settings' JSON, if the job has encoded them already and they have no bulk bytes.
  let settingsJSON: [UInt8]?
  let sector: S.Sector

  init(settings: S.Settings, settingsJSON: [UInt8]?, sector: S.Sector) {
    self.settings = settings
    self.settingsJSON = settingsJSON
    self.sector = sector
  }

  func scan(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable {
    guard let scan = scan as? S else {
      throw CallFailure(.system, "\(S.kind) is another scan here")
    }
    return try await scan.run(sector, settings: settings, on: attempt)
  }

  func isBrief(for scan: any Scan) -> Bool {
    (scan as? S)?.isBrief(sector, settings: settings) ?? false
  }

  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws {
    try container.encode(settings, forKey: .settings)
    try container.encode(sector, forKey: .sector)
  }

  func writeSettings(to parts: inout PartEncoder) -> Bool {
    guard let settingsJSON else { return parts.add(settings) }
    parts.json.add(json: settingsJSON)
    return true
  }

  func writeSector(to parts: inout PartEncoder) -> Bool {
    parts.add(sector)
  }
}
