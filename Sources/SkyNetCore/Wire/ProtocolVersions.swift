// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// The versions of the wire protocol that a process speaks: all from the oldest to the newest.
///
/// A release may speak the version of the release before it too, so that the nodes of a cluster are updated one
/// after the other.
struct ProtocolVersions: Hashable, Sendable, Decodable, CustomStringConvertible {
  /// Those of this software.
  static let ours = ProtocolVersions(
    oldest: SkyNetVersion.oldestWireProtocol ?? SkyNetVersion.wireProtocol,
    newest: SkyNetVersion.wireProtocol)

  let oldest: Int
  let newest: Int

  init(oldest: Int, newest: Int) {
    self.oldest = oldest
    self.newest = newest
  }

  private enum CodingKeys: String, CodingKey {
    case newest = "protocolVersion"
    case oldest = "oldestProtocol"
  }

  /// Reads them from a hello, of whatever version it is.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    newest = try container.decode(Int.self, forKey: .newest)
    oldest = try container.decodeIfPresent(Int.self, forKey: .oldest) ?? newest
  }

  /// The version that two processes talk by: the newest that both speak; `nil` if there is none.
  func newest(with other: ProtocolVersions) -> Int? {
    let common = min(newest, other.newest)
    return common >= max(oldest, other.oldest) ? common : nil
  }

  /// The word version, and the number or numbers.
  var description: String {
    oldest < newest ? "versions \(oldest) to \(newest)" : "version \(newest)"
  }
}
