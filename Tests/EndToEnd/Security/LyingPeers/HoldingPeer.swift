import Foundation
import SkyNetCore

/// Peers that speak the protocol but make others hold too much memory, each in its own way on each
/// connection.
enum HoldingPeer: CaseIterable {
  /// Announces hundreds of thousands of answers, and sends none of them.
  case announcesAnswers
  /// Sends large answers without their ends. Two such peers hold more together than one alone.
  case sendsMostOfAnswers, sendsMostOfOthers
  /// Has a name as long as a hello allows.
  case hasALongName
  /// Claims to know thousands of scans.
  case knowsManyScans
  /// Asks to be pinged hundreds of times a second.
  case wantsPings
  /// Sends a failure as long as a frame allows.
  case failsAtLength

  /// All bytes that the peer sends on a connection.
  var words: Data {
    switch self {
    case .announcesAnswers:
      return hello()
        + (1...500_000).reduce(into: Data()) { bytes, call in
          bytes += frame(.reply, call: UInt64(call), bulk: 1 << 30)
        }
    case .sendsMostOfAnswers, .sendsMostOfOthers:
      let chunk = Data(repeating: 7, count: WireLimits.chunk)
      let bulk = 60 << 20
      return (1..<bulk / WireLimits.chunk).reduce(
        into: hello() + frame(.reply, call: 1, bulk: bulk)
      ) { bytes, _ in
        bytes += frame(.chunk, target: FrameKind.reply.rawValue, call: 1, body: chunk)
      }
    case .hasALongName: return hello { $0.name = String(repeating: "n", count: 60_000) }
    case .knowsManyScans:
      return hello { $0.scans = (0..<5000).map { ScanKind(name: "k", version: $0) } }
    case .wantsPings: return hello { $0.timeoutSeconds = Hello.minimumTimeoutSeconds }
    case .failsAtLength:
      return hello() + frame(.failure, call: 1, body: Data(repeating: 0x20, count: 16 << 20))
    }
  }

  private func hello(_ change: (inout Hello) -> Void = { _ in }) -> Data {
    var hello = Hello(
      name: "liar", incarnation: Incarnation(), slots: 0, timeout: .seconds(5), scans: [])
    change(&hello)
    return frame(.hello, body: Message(.hello, encoding: hello).body)
  }

  private func frame(
    _ kind: FrameKind, target: UInt8 = 0, call: UInt64 = 0, body: Data = Data(), bulk: Int = 0
  ) -> Data {
    FrameHeader(
      kind: kind, target: target, call: call, bodyCount: UInt32(body.count),
      bulkCount: UInt32(bulk)
    ).bytes + body
  }
}
