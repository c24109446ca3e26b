import Foundation

/// The machine that this process runs on.
package enum Machine {
  /// A digest of the id that Linux draws for each boot: of the running kernel, and so of the machine
  /// as long as it runs; `nil` where the system draws none.
  package static let id: String? = {
    guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    else { return nil }
    var hash = ContentsHash()
    hash.add(boot.utf8)
    return hash.text
  }()
}
