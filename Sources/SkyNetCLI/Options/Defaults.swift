import Foundation

enum Defaults {
  /// This machine's name, without its domain.
  static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "node" }
    let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: name, as: UTF8.self).split(separator: ".").first.map(String.init)
      ?? "node"
  }

  /// The larger of 4 and the cores.
  static var slots: Int { max(4, ProcessInfo.processInfo.activeProcessorCount) }
}
