import Foundation

/// A limit on the memory of this process, as far as it is known.
struct MemoryLimit: Hashable {
  /// What counts towards a limit.
  enum Measure: Hashable {
    /// Every address that is taken, whatever is there.
    case addresses
    /// What the process can write and shares with no other.
    case data
    /// What is in memory; a thread's stack counts as far as something was on it.
    case pages
  }

  /// In bytes.
  let most: Int
  /// How much of it is used already.
  let used: Int
  /// What sets it.
  let name: String
  let measure: Measure

  private static let addressTitle = "Max address space"

  /// Whether there is a limit on this process's addresses.
  static var areAddressesLimited: Bool {
    value(of: addressTitle, inLimits: text("/proc/self/limits")) != nil
  }

  /// Those of this process, by what Linux says of it.
  static var all: [MemoryLimit] {
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
          most: $0, used: used[0], name: "the limit on its address space (ulimit -v)",
          measure: .addresses)
      },
      value(of: "Max data size", inLimits: limits).map {
        MemoryLimit(
          most: $0, used: used[5], name: "the limit on its data (ulimit -d)", measure: .data)
      },
      groups.min { $0.1 < $1.1 }.map { file, most in
        MemoryLimit(
          most: most, used: used[1],
          name: "its control group's \(file.split(separator: "/").last ?? "limit")",
          measure: .pages)
      },
    ].compactMap { $0 }
  }

  /// How much a thread's stack takes: the limit on the first one's, or what Glibc takes where that has
  /// none.
  static var stack: Int {
    value(of: "Max stack size", inLimits: text("/proc/self/limits")).map { min($0, 1 << 40) }
      ?? 2 << 20
  }

  /// What `/proc/self/limits` has in the line of this title, if that is a number.
  static func value(of title: String, inLimits text: String) -> Int? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else {
      return nil
    }
    return line.dropFirst(title.count).split(separator: " ").first.flatMap { Int($0) }
  }

  /// The files with the limits of a process's control group and of those above it, by
  /// `/proc/self/cgroup` (cgroups(7)); also where both versions are in use.
  static func groupLimits(inCgroup text: String) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[0] == "0", parts[1].isEmpty {
        return folders(parts[2], below: "/sys/fs/cgroup").map { $0 + "/memory.max" }
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return folders(parts[2], below: "/sys/fs/cgroup/memory").map {
        $0 + "/memory.limit_in_bytes"
      }
    }
  }

  /// A folder, and all that it is in.
  private static func folders(_ path: Substring, below root: String) -> [String] {
    var names = path.split(separator: "/")[...]
    var folders: [String] = []
    while true {
      folders.append(([root] + names.map(String.init)).joined(separator: "/"))
      if names.popLast() == nil { return folders }
    }
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
