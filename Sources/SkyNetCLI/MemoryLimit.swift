import Foundation

/// A limit on the memory of this process, as far as it is known.
struct MemoryLimit: Hashable {
  /// In bytes.
  let most: Int
  /// How much of it is used already.
  let used: Int
  /// What sets it.
  let name: String
  /// Whether the stacks of threads count before anything is on them.
  let countsStacks: Bool

  /// A thread's stack, unless somebody has changed that.
  static let stack = 8 << 20

  /// Those of this process, by what Linux says of it.
  static var all: [MemoryLimit] {
    func text(_ path: String) -> String {
      (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
    let page = Int(sysconf(CInt(_SC_PAGESIZE)))
    let pages = text("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
    guard pages.count > 1 else { return [] }
    let space = addressSpace(inLimits: text("/proc/self/limits")).map {
      MemoryLimit(
        most: $0, used: pages[0] * page, name: "the limit on its address space (ulimit -v)",
        countsStacks: true)
    }
    let group = groups(inCgroup: text("/proc/self/cgroup"))
      .compactMap { Int(text($0 + "/memory.max").filter { !$0.isWhitespace }) }.min()
    let container = group.map {
      MemoryLimit(
        most: $0, used: pages[1] * page, name: "its control group's memory.max",
        countsStacks: false)
    }
    return [space, container].compactMap { $0 }
  }

  /// What `/proc/self/limits` has in the line "Max address space", if that is a number.
  static func addressSpace(inLimits text: String) -> Int? {
    let title = "Max address space"
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else {
      return nil
    }
    return line.dropFirst(title.count).split(separator: " ").first.flatMap { Int($0) }
  }

  /// The folders of a process's control group and those above it, by `/proc/self/cgroup` (cgroups(7),
  /// version 2).
  static func groups(inCgroup text: String) -> [String] {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return []
    }
    var names = line.dropFirst(4).split(separator: "/")[...]
    var folders: [String] = []
    while true {
      folders.append((["/sys/fs/cgroup"] + names.map(String.init)).joined(separator: "/"))
      if names.popLast() == nil { return folders }
    }
  }
}

/// There is less memory than a scan cannot do without.
struct MemoryShortage: Error, CustomStringConvertible {
  let path: String
  let needed: Int
  let limit: MemoryLimit

  var description: String {
    "\(path): to scan it takes at least \(Self.mebibytes(needed)) MiB here, and \(limit.name) is "
      + "\(Self.mebibytes(limit.most)) MiB: raise that, or give fewer --slots, or --no-local"
  }

  private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

  /// Checks a scan before its image is read.
  ///
  /// - Parameters:
  ///   - bytes: what it cannot do without, beside what is used already.
  ///   - threads: how many threads it will start at least.
  /// - Throws: ``MemoryShortage``.
  static func check(
    _ path: String, bytes: Int, threads: Int, limits: [MemoryLimit] = MemoryLimit.all
  ) throws {
    for limit in limits {
      let stacks = limit.countsStacks ? threads * MemoryLimit.stack : 0
      let needed = limit.used + stacks + bytes
      guard needed <= limit.most else {
        throw MemoryShortage(path: path, needed: needed, limit: limit)
      }
    }
  }
}
