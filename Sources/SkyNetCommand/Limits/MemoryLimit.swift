import Foundation
import SkyFiles

/// A limit that the system sets on the memory of this process.
package struct MemoryLimit: Hashable {
  /// Which memory counts towards a limit.
  package enum Measure: Hashable {
    /// Every mapped address, used or not.
    case addresses
    /// Private writable memory.
    case data
    /// Resident pages; of a thread's stack, those that were touched.
    case pages
  }

  /// In bytes.
  package let limit: Int
  /// How many bytes are used already.
  package let used: Int
  /// The limit's name, for messages.
  package let name: String
  package let measure: Measure

  /// How many bytes are left.
  package var room: Int { limit - used }

  private static let addressTitle = "Max address space"

  /// Whether there is a limit on this process's addresses.
  package static var areAddressesLimited: Bool {
    addresses(inLimits: text("/proc/self/limits")) != nil
  }

  /// The limit on addresses, from `/proc/self/limits`; `nil` if there is none.
  static func addresses(inLimits text: String) -> Int? { value(of: addressTitle, inLimits: text) }

  /// The limits of this process, as `/proc` and its control groups show them.
  package static var all: [MemoryLimit] {
    let limits = text("/proc/self/limits")
    let page = Int(sysconf(CInt(_SC_PAGESIZE)))
    let used = text("/proc/self/statm").split(separator: " ").compactMap { Int($0) }.map {
      $0 * page
    }
    guard used.count > 5 else { return [] }
    let groups = groupLimits(inCgroup: text("/proc/self/cgroup")).compactMap { file in
      Int(text(file).filter { !$0.isWhitespace }).map { (file, $0) }
    }
    return [
      value(of: addressTitle, inLimits: limits).map {
        MemoryLimit(
          limit: $0, used: used[0], name: "the limit on its address space (ulimit -v)",
          measure: .addresses)
      },
      value(of: "Max data size", inLimits: limits).map {
        MemoryLimit(
          limit: $0, used: used[5], name: "the limit on its data (ulimit -d)", measure: .data)
      },
      groups.min { $0.1 < $1.1 }.map { file, most in
        MemoryLimit(
          limit: most, used: used[1],
          name: "its control group's \(file.pathNames().last ?? "limit")",
          measure: .pages)
      },
    ].compactMap { $0 }
  }

  /// How many bytes a thread's stack takes: the limit on the main thread's stack, or Glibc's
  /// default where there is no limit.
  package static var stack: Int {
    value(of: "Max stack size", inLimits: text("/proc/self/limits")).map { min($0, 1 << 40) }
      ?? 2 << 20
  }

  /// The number in the line of `/proc/self/limits` with this title; `nil` if the line has none.
  package static func value(of title: String, inLimits text: String) -> Int? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else {
      return nil
    }
    return line.dropFirst(title.count).split(separator: " ").first.flatMap { Int($0) }
  }

  /// The files with the memory limits of a process's control group and of its ancestors, from
  /// `/proc/self/cgroup`.
  package static func groupLimits(inCgroup text: String) -> [String] {
    groupFiles(
      of: "memory", version1: "memory.limit_in_bytes", version2: "memory.max", inCgroup: text)
  }

  /// The files of this name in a process's control group and its ancestors, from
  /// `/proc/self/cgroup` (cgroups(7)); for version 1, version 2, or both.
  package static func groupFiles(
    of controller: String, version1: String, version2: String, inCgroup text: String
  ) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[0] == "0", parts[1].isEmpty {
        return folders(parts[2], below: "/sys/fs/cgroup").map { "\($0)/\(version2)" }
      }
      guard parts[1].split(separator: ",").contains(Substring(controller)) else { return [] }
      return folders(parts[2], below: "/sys/fs/cgroup/\(controller)").map {
        "\($0)/\(version1)"
      }
    }
  }

  /// A folder and its ancestors, up to the root.
  private static func folders(_ path: Substring, below root: String) -> [String] {
    var names = path.pathNames()[...]
    var folders: [String] = []
    while true {
      folders.append(([root] + names).joined(separator: "/"))
      if names.popLast() == nil { return folders }
    }
  }

  package static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
