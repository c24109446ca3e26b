// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import SkyNetCore

import struct Foundation.Data

/// One sector to scan, with an id, and everything that a system needs to scan it.
///
/// The task's JSON names the kind of scan, whose types the ``ScanRegistry`` of the reader's process knows.
package struct ScanTask: Sendable {
  package let id: TaskID
  /// The run that the task belongs to.
  package let run: RunID
  package let kind: ScanKind
  /// Which attempt at the sector this is.
  package let attempt: ScanAttempt
  /// Whether the sender has a scan timeout (`EngagementSettings.scanTimeout`). The node then reports the
  /// scan's start even if the scan is brief. A time limit of the kind alone does not set this.
  let isTimed: Bool
  /// How long the task's kind lets its scan run; `nil` if it sets no limit, or if the sender has a scan timeout,
  /// which replaces the limit. The sender enforces the limit, so it is not part of the JSON.
  var timeLimit: Duration?
  /// The span of the attempt, which the scan's own span belongs to; `nil` if the sender has no tracer.
  var trace: TraceCarrier?
  let held: HeldWork

  /// Whether this is a second attempt at a sector that another system still scans. A system serves hedges
  /// after all other tasks.
  package var isHedge: Bool { attempt.isHedge }

  /// Scans the sector with the registry's scan of this kind.
  ///
  /// - Parameter system: the name of the system that scans.
  @inline(__always)
  package func scan(
    with registry: ScanRegistry, on system: String
  ) async throws -> any Codable & Sendable {
    var attempt = attempt
    attempt.origin = ScanAttempt.Origin(run: run, task: id, system: system)
    return try await held.work.scan(with: try registry.scan(of: kind.description), on: attempt)
  }
}

extension ScanTask {
  package init<S: Scan>(
    _ id: TaskID, of run: RunID, for scan: S.Type, settings: S.Settings, sector: S.Sector,
    attempt: ScanAttempt = ScanAttempt()
  ) {
    self.init(
      id: id, run: run, kind: S.kind, attempt: attempt, isTimed: false,
      held: HeldWork(WorkOf<S>(settings: settings, settingsJSON: nil, sector: sector)))
  }
}

extension ScanTask: MessageBody {
  /// What tells a scan from others. The task's id is in two parts.
  private static let scanKeys: [StaticString] = [
    "pass", "number", "run", "kind", "timed", "settings", "sector",
  ]
  private static let keys: [StaticString] = [
    "pass", "number", "run", "kind", "attempt", "hedge", "timed", "trace", "settings", "sector",
  ]

  package func write(to body: inout BodyWriter) throws {
    let work = try held.work
    body.json.add(syntax: "{")
    body.json.add(key: "pass", id.pass, isFirst: true)
    body.json.add(key: "number", id.sector)
    body.json.add(key: "run", hexadecimal: run.number)
    body.json.add(key: "kind", kind.description)
    body.json.add(key: "attempt", attempt.number)
    if isHedge { body.json.add(key: "hedge", isTrue: true) }
    if isTimed { body.json.add(key: "timed", isTrue: true) }
    if let trace {
      body.json.add(key: "trace")
      try body.add(trace.values)
    }
    body.json.add(key: "settings")
    try work.writeSettings(to: &body)
    body.json.add(key: "sector")
    try work.writeSector(to: &body)
    body.json.add(syntax: "}")
  }

  package init(from message: Message, by coder: BodyCoder) throws {
    self = try coder.read(Self.keys, of: message) { body in
      let scan = try body.scan()
      let digits = try body.text("run")
      guard
        let run = digits.hexadecimal.map(RunID.init(number:))
          ?? digits.plainText.flatMap(RunID.init)
      else {
        throw DecodingError.body("run is no run's id: 16 hexadecimal digits")
      }
      var task = ScanTask(
        id: TaskID(
          pass: try body.number("pass", from: 0), sector: try body.number("number", from: 0)),
        run: run, kind: type(of: scan).kind,
        attempt: ScanAttempt(
          number: try body.number("attempt", from: 1), isHedge: try body.flag("hedge")),
        isTimed: try body.flag("timed"), held: HeldWork(try Self.work(of: scan, body)))
      if body.has("trace") {
        task.trace = (try? body.value("trace", as: [String: String].self)).flatMap(
          TraceCarrier.init)
      }
      return task
    }
  }

  private static func work<S: Scan>(of scan: S, _ body: BodyReader) throws -> any TaskWork {
    let known = body.coder.settings.settings(try body.text("settings"), of: S.self, body.coder)
    if let known { return try known.work(of: body) }
    return WorkOf<S>(
      settings: try body.value("settings", as: S.Settings.self), settingsJSON: nil,
      sector: try body.value("sector", as: S.Sector.self))
  }

  /// Whether the bodies of two calls ask for the same scan of the same sector. They differ only in the number of the
  /// attempt, whether it is a hedge, and the span that it belongs to.
  static func describesSameScan(_ one: Data, _ other: Data) -> Bool {
    let isSame = try? one.withUnsafeBytes { one in
      try other.withUnsafeBytes { other in
        let (one, other) = (try JSONMembers(one, keys), try JSONMembers(other, keys))
        return scanKeys.allSatisfy { one[$0].map(Array.init) == other[$0].map(Array.init) }
      }
    }
    return isSame ?? (one == other)
  }
}
