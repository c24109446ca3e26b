import Foundation
import SkyNetCore

/// The network namespace of this process, which decides whose addresses are its own.
enum NetworkNamespace {
  /// A text that no other network namespace on any machine has; `nil` where the kernel tells none.
  ///
  /// Linux numbers the namespaces of one boot, and draws an id for each boot. Peers get a digest of both.
  static let id: String? = {
    guard
      let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
      let number = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
    else { return nil }
    return digest(of: boot + number)
  }()

  /// FNV-1a of 64 bits: it has to tell a few machines apart, and hides nothing from members, who are trusted.
  static func digest(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return hash.sixteenDigits
  }
}
