import Foundation
import SkyNetCore

extension SystemStatus {
  /// A machine's memory, in bytes.
  public struct Memory: Hashable, Sendable, Codable {
    /// What programs cannot be given now.
    public let used: Int
    /// All that the machine has.
    public let total: Int

    /// The memory of this machine; `nil` where the system does not tell it as Linux does.
    static var now: Memory? {
      (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)).flatMap {
        Memory(meminfo: $0)
      }
    }

    /// - Parameter meminfo: lines as of `/proc/meminfo` (proc(5)).
    init?(meminfo: String) {
      func bytes(_ name: String) -> Int? {
        meminfo.split(separator: "\n").first { $0.hasPrefix(name + ":") }
          .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
          .map { $0 * 1024 }
      }
      guard let total = bytes("MemTotal"), let free = bytes("MemAvailable") else { return nil }
      (used, self.total) = (max(0, total - free), total)
    }
  }
}

extension SystemStatus.Memory {
  private static let most = 1 << 50

  /// Refuses numbers that no machine has.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    used = try container.decodeCount(atMost: Self.most, forKey: .used)
    total = try container.decodeCount(atMost: Self.most, forKey: .total)
  }
}
