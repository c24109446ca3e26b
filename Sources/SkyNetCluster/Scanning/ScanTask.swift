// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import SkyNetCore

import struct Foundation.Data

/// One sector to scan, with an id, and everything that a system needs to scan it.
///
/// The task's JSON names the kind of scan, whose types the ``ScanRegistry`` of the reader's process knows.
package struct ScanTask: Sendable {
  private let content: TaskContent
  /// How long the task's kind lets its scan run; `nil` if it sets no limit, or if the sender has a scan timeout,
  /// which replaces the limit. The sender enforces the limit, so it is not part of the JSON.
  var timeLimit: Duration?
  /// The span of the attempt, which the scan's own span belongs to; `nil` if the sender has no tracer.
  var trace: TraceCarrier?
  /// Whether the peer that gets the task keeps its ``largeSettings``.
  var refersToSettings = false

  init(
    id: TaskID, run: RunID, kind: ScanKind, attempt: ScanAttempt, isTimed: Bool,
    work: any TaskWork, largeSettings: CodedSettings? = nil
  ) {
    content = TaskContent(
      id: id, run: run, kind: kind, attempt: attempt, isTimed: isTimed, work: work,
      largeSettings: largeSettings)
  }

  package var id: TaskID { content.id }
  /// The run that the task belongs to.
  package var run: RunID { content.run }
  package var kind: ScanKind { content.kind }
  /// Which attempt at the sector this is.
  package var attempt: ScanAttempt { content.attempt }
  /// Whether the sender has a scan timeout (`EngagementSettings.scanTimeout`). The node then reports the
  /// scan's start even if the scan is brief. A time limit of the kind alone does not set this.
  var isTimed: Bool { content.isTimed }

  /// The settings, if they are so large that a peer is to keep them.
  var largeSettings: CodedSettings? { content.largeSettings }

  /// Whether this is a second attempt at a sector that another system still scans. A system serves hedges
  /// after all other tasks.
  package var isHedge: Bool { attempt.isHedge }

  /// The settings and the sector.
  ///
  /// - Throws: `CallFailure` if the task was sent to a peer.
  var work: any TaskWork { get throws { try content.work } }

  /// Checks that the task could be sent to a peer. One that stays here is refused as it would be there.
  ///
  /// - Throws: `CallFailure` if it could not.
  func checkSize() throws { try content.work.checkSize() }

  /// Frees the work; see ``TaskContent/letGo()``.
  func letGo() { content.letGo() }

  /// Scans the sector with the registry's scan of this kind.
  ///
  /// - Parameters:
  ///   - system: the name of the system that scans.
  ///   - isOfPeer: whether another process asks for it.
  @inline(__always)
  package func scan(
    with registry: ScanRegistry, on system: String, isOfPeer: Bool = false
  ) async throws -> any Codable & Sendable {
    var attempt = attempt
    attempt.isOfPeer = isOfPeer
    attempt.origin = ScanAttempt.Origin(run: run, task: id, system: system)
    return try await work.scan(with: registry, on: attempt)
  }
}

extension ScanTask {
  package init<S: Scan>(
    _ id: TaskID, of run: RunID, for scan: S.Type, settings: S.Settings, sector: S.Sector,
    attempt: ScanAttempt = ScanAttempt()
  ) {
    self.init(
      id: id, run: run, kind: S.kind, attempt: attempt, isTimed: false,
      work: WorkOf<S>(settings: settings, sector: sector))
  }
}

extension ScanTask: MessageBody {
  package static var content: String { "the sector with its settings" }

  private enum Key: Int, BodyKey {
    case pass, number, run, kind, attempt, hedge, timed, trace, settings, sector, kept

    static let all = JSONKeys(Key.self)
    /// What tells a scan from others. The task's id is in two parts.
    static let ofScan: [Key] = [.pass, .number, .run, .kind, .timed, .settings, .kept, .sector]
  }

  package func write(to body: inout BodyWriter) throws {
    let work = try work
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
    if !refersToSettings {
      body.json.add(key: "settings")
      try work.writeSettings(to: &body)
    }
    body.json.add(key: "sector")
    try work.writeSector(to: &body)
    if refersToSettings, let largeSettings { body.json.add(key: "kept", largeSettings.id) }
    body.json.add(syntax: "}")
  }

  package init(from message: Message, by coder: BodyCoder) throws {
    try self.init(from: message, by: coder, with: nil)
  }

  /// - Parameter kept: the settings that the message may refer to.
  init(from message: Message, by coder: BodyCoder, with kept: KeptSettings?) throws {
    self = try coder.read(Key.self, of: message) { body in
      let entry = try body.scan(Key.kind)
      let digits = try body.text(Key.run)
      guard
        let run = digits.hexadecimal.map(RunID.init(number:))
          ?? digits.plainText.flatMap(RunID.init)
      else {
        throw DecodingError.body("run is no run's id: 16 hexadecimal digits")
      }
      var task = ScanTask(
        id: TaskID(
          pass: try body.number(Key.pass, from: 0), sector: try body.number(Key.number, from: 0)),
        run: run, kind: entry.kind,
        attempt: ScanAttempt(
          number: try body.number(Key.attempt, from: 1), isHedge: try body.flag(Key.hedge)),
        isTimed: try body.flag(Key.timed), work: try Self.work(of: entry, body, kept))
      if body.has(Key.trace) {
        task.trace = (try? body.value(Key.trace, as: [String: String].self)).flatMap(
          TraceCarrier.init)
      }
      return task
    }
  }

  private static func work(
    of entry: ScanRegistry.Entry, _ body: BodyReader, _ kept: KeptSettings?
  ) throws -> any TaskWork {
    if body.has(Key.kept) {
      let settings = kept?[try body.number(Key.kept, from: 1)]
      guard let settings, settings.kind == entry.kind else {
        throw DecodingError.body("kept names no settings of \(entry.kind) that are kept here")
      }
      return try settings.work(of: body, Key.sector)
    }
    let known = body.coder.settings.known(try body.text(Key.settings), of: entry.kind)
    return try known?.work(of: body, Key.sector) ?? firstWork(of: entry.scan, entry.kind, body)
  }

  /// The work of a task with settings that are not known yet.
  private static func firstWork<S: Scan>(
    of scan: S, _ kind: ScanKind, _ body: BodyReader
  ) throws -> any TaskWork {
    let settings = body.coder.settings.decode(
      try body.text(Key.settings), of: scan, kind, body.coder)
    if let settings { return try settings.work(of: body, Key.sector) }
    return WorkOf<S>(
      of: OwnScan(scan), settings: try body.value(Key.settings, as: S.Settings.self),
      sector: try body.value(Key.sector, as: S.Sector.self))
  }

  /// Whether the bodies of two calls ask for the same scan of the same sector. They differ only in the number of the
  /// attempt, whether it is a hedge, and the span that it belongs to.
  static func describesSameScan(_ one: Data, _ other: Data) -> Bool {
    let isSame = try? one.withUnsafeBytes { one in
      try other.withUnsafeBytes { other in
        try JSONMembers.read(one, Key.all) { one in
          try JSONMembers.read(other, Key.all) { other in
            Key.ofScan.allSatisfy { one[$0].map(Array.init) == other[$0].map(Array.init) }
          }
        }
      }
    }
    return isSame ?? (one == other)
  }
}
