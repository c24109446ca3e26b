public import SkyNetCore

/// One sector to scan, with an id, and all that a system needs to scan it.
///
/// Its JSON names the kind of scan; to read it, a decoder needs the ``ScanRegistry`` of its
/// process, which says what the settings and the sector are for that kind.
public struct ScanTask: Sendable {
  public let id: TaskID
  public let kind: ScanKind
  /// Whether it is a second try at what another system has not ended: it is served after all else.
  public let isHedge: Bool
  fileprivate let work: any Work

  public init<S: Scan>(
    _ id: TaskID, for scan: S.Type, settings: S.Settings, sector: S.Sector, isHedge: Bool = false
  ) {
    self.id = id
    self.isHedge = isHedge
    kind = S.kind
    work = WorkOf<S>(settings: settings, sector: sector)
  }

  /// Does the work, with the registry's scan of this kind.
  func run(in registry: ScanRegistry) async throws -> any Codable & Sendable {
    try await work.run(with: try registry.scan(of: kind))
  }
}

extension ScanTask: Codable {
  fileprivate enum CodingKeys: String, CodingKey {
    /// The task's id, in two.
    case pass, number
    case kind, settings, sector
    case isHedge = "hedge"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = TaskID(
      pass: try container.decode(Int.self, forKey: .pass),
      sector: try container.decode(Int.self, forKey: .number))
    kind = try container.decode(ScanKind.self, forKey: .kind)
    isHedge = try container.decodeIfPresent(Bool.self, forKey: .isHedge) ?? false
    let registry = decoder.userInfo[.scanRegistry] as? ScanRegistry ?? ScanRegistry([])
    work = try Self.decodeWork(for: try registry.scan(of: kind), from: container)
  }

  private static func decodeWork<S: Scan>(
    for scan: S, from container: KeyedDecodingContainer<CodingKeys>
  ) throws -> any Work {
    WorkOf<S>(
      settings: try container.decode(S.Settings.self, forKey: .settings),
      sector: try container.decode(S.Sector.self, forKey: .sector))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.pass, forKey: .pass)
    try container.encode(id.sector, forKey: .number)
    try container.encode(kind, forKey: .kind)
    if isHedge { try container.encode(true, forKey: .isHedge) }
    try work.encode(into: &container)
  }

  /// A task's settings and sector, whatever their scan.
  fileprivate protocol Work: Sendable {
    func run(with scan: any Scan) async throws -> any Codable & Sendable
    func encode(into container: inout KeyedEncodingContainer<CodingKeys>) throws
  }
}

private struct WorkOf<S: Scan>: ScanTask.Work {
  let settings: S.Settings
  let sector: S.Sector

  func run(with scan: any Scan) async throws -> any Codable & Sendable {
    guard let scan = scan as? S else {
      throw CallFailure(.system, "\(S.kind) is another scan here")
    }
    return try await scan.run(sector, settings: settings)
  }
  func encode(into container: inout KeyedEncodingContainer<ScanTask.CodingKeys>) throws {
    try container.encode(settings, forKey: .settings)
    try container.encode(sector, forKey: .sector)
  }
}
