import Foundation

/// The limits that the system sets on how many threads there are.
enum ThreadLimit {
  /// How many threads and processes a control group may have, and has.
  struct Group: Hashable {
    let limit: Int
    let used: Int
  }

  /// The limit that keeps this process from starting so many threads, and what raises it.
  static func reached(by needed: Int) -> String {
    let files = MemoryLimit.groupFiles(
      of: "pids", version1: "pids.max", version2: "pids.max",
      inCgroup: MemoryLimit.text("/proc/self/cgroup"))
    let groups = files.compactMap { file -> Group? in
      // Without a limit the file says "max".
      guard let limit = number(file), let used = number(file.dropLast("max".count) + "current")
      else { return nil }
      return Group(limit: limit, used: used)
    }
    let processes = MemoryLimit.value(
      of: "Max processes", inLimits: MemoryLimit.text("/proc/self/limits"))
    return name(groups, account: geteuid() == 0 ? nil : processes, needed: needed)
  }

  /// - Parameter account: the limit on the account's processes; `nil` for none, as for root.
  static func name(_ groups: [Group], account: Int?, needed: Int) -> String {
    if let group = groups.first(where: { $0.used + needed > $0.limit }) {
      return
        "the limit of its control group, which is \(group.limit) (pids.max, systemd's TasksMax, a "
        + "container's --pids-limit)"
    }
    if let account {
      return "the limit of its account, which is \(account) (ulimit -u)"
    }
    return "the machine's limit (kernel.threads-max), or that on memory (ulimit -v)"
  }

  private static func number(_ file: some StringProtocol) -> Int? {
    Int(MemoryLimit.text(String(file)).filter { !$0.isWhitespace })
  }
}
