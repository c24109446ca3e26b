import SkyNetCore
import Synchronization

/// The settings and the sector of a task of any kind.
///
/// Only classes conform to the protocol: a task is copied often on its way, and each copy of a generic struct
/// would look its type up.
protocol TaskWork: AnyObject, Sendable {
  /// - Throws: what the scan throws; `CallFailure` if the process has no scan of this kind.
  func scan(
    with registry: ScanRegistry, on attempt: ScanAttempt
  ) async throws -> any Codable & Sendable
  /// See `Scan.isBrief(_:settings:)`. A scan that the work does not hold is not brief.
  var isBrief: Bool { get }
  func writeSettings(to body: inout BodyWriter) throws(CallFailure)
  func writeSector(to body: inout BodyWriter) throws(CallFailure)
  /// - Throws: `CallFailure` if the work is too large to be sent, or cannot be coded.
  func checkSize() throws(CallFailure)
}

/// What a task consists of. It is an object, as a task is copied often on its way.
///
/// The caller holds its task until the answer comes. If a peer scans it, the work is only in the way by then, and may be
/// large. The lock is for that: the caller and the code that writes the task are of different threads.
final class TaskContent: Sendable {
  let id: TaskID
  let run: RunID
  let kind: ScanKind
  let attempt: ScanAttempt
  let isTimed: Bool
  let largeSettings: CodedSettings?
  private let held: Mutex<(any TaskWork)?>

  init(
    id: TaskID, run: RunID, kind: ScanKind, attempt: ScanAttempt, isTimed: Bool,
    work: any TaskWork, largeSettings: CodedSettings?
  ) {
    self.largeSettings = largeSettings
    (self.id, self.run, self.kind) = (id, run, kind)
    (self.attempt, self.isTimed) = (attempt, isTimed)
    held = Mutex(work)
  }

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
  /// The scan that runs if this process does the work; `nil` for the one that the process has registered.
  private let own: OwnScan<S>?
  let settings: S.Settings
  /// The settings as they are sent, if the job has coded them already.
  private let codedSettings: CodedSettings?
  let sector: S.Sector

  init(
    of own: OwnScan<S>? = nil, settings: S.Settings, coded codedSettings: CodedSettings? = nil,
    sector: S.Sector
  ) {
    self.own = own
    self.settings = settings
    self.codedSettings = codedSettings
    self.sector = sector
  }

  func scan(
    with registry: ScanRegistry, on attempt: ScanAttempt
  ) async throws -> any Codable & Sendable {
    if let own { return try await own.scan.run(sector, settings: settings, on: attempt) }
    return try await registered(in: registry).run(sector, settings: settings, on: attempt)
  }

  var isBrief: Bool {
    guard let own else { return false }
    return own.scan.isBrief(sector, settings: settings)
  }

  // Not a part of its caller: code for a type that it looks up does so at its beginning.
  private func registered(in registry: ScanRegistry) throws -> S {
    guard let scan = try registry.entry(of: S.kind.description).scan as? S else {
      throw CallFailure(.system, "\(S.kind) is another scan here")
    }
    return scan
  }

  func writeSettings(to body: inout BodyWriter) throws(CallFailure) {
    if let coded = codedSettings, coded.bulk.isEmpty { return body.json.add(json: coded.json) }
    try body.add(settings, called: "the settings")
  }

  func writeSector(to body: inout BodyWriter) throws(CallFailure) {
    try body.add(sector, called: "the sector")
  }

  func checkSize() throws(CallFailure) {
    if let codedSettings {
      if let fault = codedSettings.fault { throw fault }
    } else {
      var body = BodyWriter(isMeasure: true)
      try writeSettings(to: &body)
      try body.checkSize(of: "the settings")
    }
    guard !BodyWriter.hasRoom(for: sector) else { return }
    var body = BodyWriter(isMeasure: true)
    try writeSector(to: &body)
    try body.checkSize(of: "the sector")
  }
}

/// A scan of this process, as an object: generic code passes it on without a look at its type.
final class OwnScan<S: Scan>: Sendable {
  let scan: S

  init(_ scan: S) { self.scan = scan }
}
