import Foundation

/// The defaults of the command `skynet` for the machine that it runs on.
public enum Machine {
  /// The host's name without its domain; `node` if the host has no name.
  public static var name: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "node" }
    let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: name, as: UTF8.self).split(separator: ".").first.map(String.init)
      ?? "node"
  }

  /// How many scans run at a time: the number of cores, and 4 at least; fewer if the process's control group has a
  /// quota of processor time, or so little memory, that it has room for fewer.
  public static var slots: Int { defaultSlots.count }

  /// The same, with the limit that set the number.
  package static var defaultSlots: DefaultSlots {
    DefaultSlots(
      cores: ProcessInfo.processInfo.activeProcessorCount, limits: .ofThisProcess)
  }
}
