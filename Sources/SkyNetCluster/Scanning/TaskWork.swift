// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import SkyNetCore
import Synchronization

/// The settings and the sector of a task of any kind.
///
/// Only classes conform to the protocol: a task is copied often on its way, and each copy of a generic struct
/// would look its type up.
protocol TaskWork: AnyObject, Sendable {
  func scan(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable
  /// Frees the sector once it is written: the task is of no use from then on.
  func forgetSector()
  /// See `Scan.isBrief(_:settings:)`.
  func isBrief(for scan: any Scan) -> Bool
  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws
  /// Writes the settings' JSON. Returns `false` if the task has to be encoded as a whole.
  func writeSettings(to parts: inout PartEncoder) -> Bool
  /// Writes the sector's JSON. Returns `false` if the task has to be encoded as a whole.
  func writeSector(to parts: inout PartEncoder) -> Bool
}

/// The settings and the sector of a task with a scan of type `S`.
///
/// A caller holds its task until the answer comes. If a peer scans it, the sector is only in the way by then, and may be
/// large. The lock is for that: the caller that holds the task and the code that writes it are of different threads.
final class WorkOf<S: Scan>: TaskWork {
  let settings: S.Settings
  /// The settings' JSON, if the job has encoded them already and they have no bulk bytes.
  let settingsJSON: [UInt8]?
  private let present: Mutex<S.Sector?>

  init(settings: S.Settings, settingsJSON: [UInt8]?, sector: S.Sector) {
    self.settings = settings
    self.settingsJSON = settingsJSON
    present = Mutex(sector)
  }

  /// `nil` once it was written.
  var sector: S.Sector? { present.withLock { $0 } }

  func forgetSector() { present.withLock { $0 = nil } }

  func scan(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable {
    guard let scan = scan as? S else {
      throw CallFailure(.system, "\(S.kind) is another scan here")
    }
    guard let sector else { throw CallFailure(.system, "the sector was sent already") }
    return try await scan.run(sector, settings: settings, on: attempt)
  }

  func isBrief(for scan: any Scan) -> Bool {
    guard let scan = scan as? S, let sector else { return false }
    return scan.isBrief(sector, settings: settings)
  }

  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws {
    guard let sector else { throw CallFailure(.system, "the sector was sent already") }
    try container.encode(settings, forKey: .settings)
    try container.encode(sector, forKey: .sector)
  }

  func writeSettings(to parts: inout PartEncoder) -> Bool {
    guard let settingsJSON else { return parts.add(settings) }
    parts.json.add(json: settingsJSON)
    return true
  }

  func writeSector(to parts: inout PartEncoder) -> Bool {
    sector.map { parts.add($0) } ?? false
  }
}
