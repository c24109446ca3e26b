public import SkyNetCore

/// One sector to scan, with an id, and all that a system needs to scan it.
///
/// Its JSON names the kind of scan; to read it, a decoder needs the ``ScanRegistry`` of its
/// process, which says what the settings and the sector are for that kind.
public struct ScanTask: Sendable {
  public let id: TaskID
  public let kind: ScanKind
  private let work: any ScanWork

  public init<S: Scan>(_ id: TaskID, for scan: S.Type, settings: S.Settings, sector: S.Sector) {
    self.id = id
    kind = S.kind
    work = WorkOf<S>(settings: settings, sector: sector)
  }

  /// Does the work, with the registry's scan of this kind.
  func run(in registry: ScanRegistry) async throws -> any Codable & Sendable {
    try await work.run(with: try registry.scan(of: kind))
  }
}

extension ScanTask: Codable {
  private enum CodingKeys: String, CodingKey {
    case task, kind, work
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(TaskID.self, forKey: .task)
    kind = try container.decode(ScanKind.self, forKey: .kind)
    let registry = decoder.userInfo[.scanRegistry] as? ScanRegistry ?? ScanRegistry([])
    work = try Self.decodeWork(for: try registry.scan(of: kind), from: container)
  }

  private static func decodeWork<S: Scan>(
    for scan: S, from container: KeyedDecodingContainer<CodingKeys>
  ) throws -> any ScanWork {
    try container.decode(WorkOf<S>.self, forKey: .work)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .task)
    try container.encode(kind, forKey: .kind)
    try container.encode(work, forKey: .work)
  }
}

/// A task's settings and sector, whatever their scan.
private protocol ScanWork: Codable, Sendable {
  func run(with scan: any Scan) async throws -> any Codable & Sendable
}

private struct WorkOf<S: Scan>: ScanWork {
  let settings: S.Settings
  let sector: S.Sector

  func run(with scan: any Scan) async throws -> any Codable & Sendable {
    guard let scan = scan as? S else {
      throw CallFailure(.system, "\(S.kind) is another scan here")
    }
    return try await scan.run(sector, settings: settings)
  }
}
