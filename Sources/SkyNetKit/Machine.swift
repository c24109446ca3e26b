import Foundation
import SkyNetCore

/// The defaults of the command `skynet` for the machine that it runs on.
public enum Machine {
  /// The host's name without its domain, as a node's name: cut after 63 bytes, at the end of a character, and without
  /// control characters. `node` if the host has no name.
  public static var name: String {
    hostname.split(separator: ".").first.map { PeerName.fitted(String($0)) } ?? "node"
  }

  /// The names by which others may call this machine, as far as they are known without asking the network: the
  /// host's name with its domain and without, the one that multicast DNS gives it (RFC 6762), and those that
  /// `/etc/hosts` has beside it.
  package static var names: [String] {
    let hosts = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""
    return [hostname, name, "\(name).local"] + names(beside: [hostname, name], in: hosts)
  }

  /// All names of the lines of a hosts file (hosts(5)) that have one of these names.
  package static func names(beside own: [String], in hosts: String) -> [String] {
    let own = Set(own.map { $0.lowercased() })
    return hosts.split(whereSeparator: \.isNewline).flatMap { line in
      let names = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).dropFirst()
      return names.contains { own.contains($0.lowercased()) } ? names.map(String.init) : []
    }
  }

  private static var hostname: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
