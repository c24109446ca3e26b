public import SkyNetCore

/// The output of a system's scan of a sector, and the times it took. Like a ``ScanTask``, it is decoded with
/// the help of a ``ScanRegistry``.
public struct ScanResult: Sendable {
  public let kind: ScanKind
  /// The scan's `Output`.
  public let output: any Codable & Sendable
  /// How long the scan ran, in seconds.
  public let seconds: Double
  /// How long the task waited for its slot, in seconds.
  public let queuedSeconds: Double
  /// Whether other clients had tasks at the system when the scan ended.
  public internal(set) var isShared = false
}

extension ScanResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, output, seconds
    case queuedSeconds = "queued"
    case isShared = "shared"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(ScanKind.self, forKey: .kind)
    seconds = try container.decodeSeconds(forKey: .seconds)
    queuedSeconds = try container.decodeSeconds(forKey: .queuedSeconds)
    isShared = try container.decodeIfPresent(Bool.self, forKey: .isShared) ?? false
    let registry = decoder.userInfo[.scanRegistry] as? ScanRegistry ?? ScanRegistry([])
    output = try Self.decodeOutput(of: try registry.scan(of: kind), from: container)
  }

  private static func decodeOutput<S: Scan>(
    of scan: S, from container: KeyedDecodingContainer<CodingKeys>
  ) throws -> any Codable & Sendable {
    try container.decode(S.Output.self, forKey: .output)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(output, forKey: .output)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(queuedSeconds, forKey: .queuedSeconds)
    if isShared { try container.encode(true, forKey: .isShared) }
  }
}
