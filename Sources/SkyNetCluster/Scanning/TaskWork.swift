import SkyNetCore
import Synchronization

/// The settings and the sector of a task of any kind.
///
/// Only classes conform to the protocol: a task is copied often on its way, and each copy of a generic struct
/// would look its type up.
protocol TaskWork: AnyObject, Sendable {
  func scan(with scan: any Scan, on attempt: ScanAttempt) async throws -> any Codable & Sendable
  /// See `Scan.isBrief(_:settings:)`.
  func isBrief(for scan: any Scan) -> Bool
  func writeSettings(to body: inout BodyWriter) throws
  func writeSector(to body: inout BodyWriter) throws
}

/// The work of a task. The caller holds its task until the answer comes. If a peer scans it, the work is only in the way
/// by then, and may be large. The lock is for that: the caller and the code that writes the task are of different
/// threads.
final class HeldWork: Sendable {
  private let held: Mutex<(any TaskWork)?>

  init(_ work: any TaskWork) { held = Mutex(work) }

  /// - Throws: `CallFailure` if the task was sent to a peer.
  var work: any TaskWork {
    get throws {
      guard let work = held.withLock({ $0 }) else {
        throw CallFailure(.system, "the sector was sent already")
      }
      return work
    }
  }

  /// Frees the work, as it is written: the task is of no use from now on.
  func letGo() { held.withLock { $0 = nil } }
}

/// The settings and the sector of a task with a scan of type `S`.
final class WorkOf<S: Scan>: TaskWork {
  let settings: S.Settings
  /// The settings' JSON, if the job has encoded them already and they have no bulk bytes.
  private let settingsJSON: [UInt8]?
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

  func writeSettings(to body: inout BodyWriter) throws {
    guard let settingsJSON else { return try body.add(settings) }
    body.json.add(json: settingsJSON)
  }

  func writeSector(to body: inout BodyWriter) throws { try body.add(sector) }
}
