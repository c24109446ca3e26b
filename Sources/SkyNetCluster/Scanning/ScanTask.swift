// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import SkyNetCore

/// One sector to scan, with an id, and everything that a system needs to scan it.
///
/// The task's JSON names the kind of scan. To read it, a decoder needs the ``ScanRegistry`` of its process,
/// which knows the types of that kind's settings and sectors.
package struct ScanTask: Sendable {
  package let id: TaskID
  /// The run that the task belongs to; `nil` if its sender is of a version that did not tell.
  package let run: RunID?
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
  private let held: HeldWork

  package init<S: Scan>(
    _ id: TaskID, of run: RunID? = nil, for scan: S.Type, settings: S.Settings, sector: S.Sector,
    attempt: ScanAttempt = ScanAttempt()
  ) {
    self.init(
      id: id, of: run, kind: S.kind, attempt: attempt, isTimed: false,
      work: WorkOf<S>(settings: settings, settingsJSON: nil, sector: sector))
  }

  init(
    id: TaskID, of run: RunID? = nil, kind: ScanKind, attempt: ScanAttempt, isTimed: Bool,
    work: any TaskWork
  ) {
    self.id = id
    self.run = run
    self.kind = kind
    self.attempt = attempt
    self.isTimed = isTimed
    held = HeldWork(work)
  }

  /// - Throws: `CallFailure` if the task was sent to a peer.
  var work: any TaskWork { get throws { try held.work } }

  /// Frees the settings and the sector, as they are written.
  func letGoOfWork() { held.letGo() }

  /// Whether this is a second attempt at a sector that another system still scans. A system serves hedges
  /// after all other tasks.
  package var isHedge: Bool { attempt.isHedge }

  /// Scans the sector with the registry's scan of this kind.
  @inline(__always)
  package func scan(with registry: ScanRegistry) async throws -> any Codable & Sendable {
    try await work.scan(with: try registry.scan(of: kind), on: attempt)
  }

  func isBrief(in registry: ScanRegistry) -> Bool {
    registry[kind].flatMap { try? work.isBrief(for: $0) } ?? false
  }
}

extension ScanTask: Codable {
  enum CodingKeys: String, CodingKey {
    /// The two parts of the task's id.
    case pass, number
    case run, kind, trace, settings, sector
    case attempt
    case isHedge = "hedge"
    case isTimed = "timed"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = TaskID(
      pass: try container.decode(Int.self, forKey: .pass),
      sector: try container.decode(Int.self, forKey: .number))
    run = try container.decodeIfPresent(RunID.self, forKey: .run)
    kind = try container.decode(ScanKind.self, forKey: .kind)
    let number = try container.decodeIfPresent(Int.self, forKey: .attempt)
    if let number, number < 1 {
      throw DecodingError.dataCorruptedError(
        forKey: .attempt, in: container, debugDescription: "attempts are numbered from 1")
    }
    attempt = ScanAttempt(
      number: number,
      isHedge: try container.decodeIfPresent(Bool.self, forKey: .isHedge) ?? false)
    isTimed = try container.decodeIfPresent(Bool.self, forKey: .isTimed) ?? false
    let trace = try? container.decodeIfPresent(TraceCarrier.self, forKey: .trace)
    self.trace = trace.flatMap { $0.isFit ? $0 : nil }
    let registry = decoder.userInfo[.scanRegistry] as? ScanRegistry ?? ScanRegistry([])
    held = HeldWork(
      try Self.decodeWork(for: try registry.scan(of: kind), from: container))
  }

  private static func decodeWork<S: Scan>(
    for scan: S, from container: KeyedDecodingContainer<CodingKeys>
  ) throws -> any TaskWork {
    WorkOf<S>(
      settings: try container.decode(S.Settings.self, forKey: .settings), settingsJSON: nil,
      sector: try container.decode(S.Sector.self, forKey: .sector))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.pass, forKey: .pass)
    try container.encode(id.sector, forKey: .number)
    try container.encodeIfPresent(run, forKey: .run)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(attempt.number, forKey: .attempt)
    if isHedge { try container.encode(true, forKey: .isHedge) }
    if isTimed { try container.encode(true, forKey: .isTimed) }
    try container.encodeIfPresent(trace, forKey: .trace)
    try work.encode(into: &container)
  }
}
