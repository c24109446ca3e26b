// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

package import SkyNetCore

import struct Foundation.Data

/// The output of a system's scan of a sector, and the times it took. Like a ``ScanTask``, it is decoded with
/// the help of a ``ScanRegistry``.
package struct ScanResult: Sendable {
  package let kind: ScanKind
  /// The scan's `Output`.
  package let output: any Codable & Sendable
  /// How long the scan ran, in seconds.
  package let seconds: Double
  /// How long the task waited for its slot, in seconds.
  package let queuedSeconds: Double
  /// Whether other clients had tasks at the system when the scan ended.
  package internal(set) var isShared = false
  /// What the message with the result begins with, if that was written where the scan ran.
  var written: WrittenOutput?
}

/// The beginning of a result's JSON, up to its output, with the bulk bytes of the output.
struct WrittenOutput: Sendable {
  let json: PlainJSON
  let bulk: Data
}

extension ScanResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, output, seconds
    case queuedSeconds = "queued"
    case isShared = "shared"
  }

  package init(from decoder: any Decoder) throws {
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

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(output, forKey: .output)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(queuedSeconds, forKey: .queuedSeconds)
    if isShared { try container.encode(true, forKey: .isShared) }
  }
}
