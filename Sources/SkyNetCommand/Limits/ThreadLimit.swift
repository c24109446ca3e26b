import Foundation

/// The limits that the system sets on how many threads there are.
enum ThreadLimit {
  /// How many threads and processes a control group may have, and has.
  struct Group: Hashable {
    let limit: Int
    let used: Int
  }

  /// How many threads there can be beside all of the machine, whichever limit holds; `nil` if that is not known: where
  /// addresses are limited, and where a container hides the groups above its own.
  static let room: Int? = {
    let limits = MemoryLimit.text("/proc/self/limits")
    let load = MemoryLimit.text("/proc/loadavg").split { " /".contains($0) }
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/pids"]
    // Only the highest group has no limit of its own.
    guard MemoryLimit.addresses(inLimits: limits) == nil, load.count > 4, let all = Int(load[4]),
      roots.contains(where: { access($0 + "/cgroup.procs", F_OK) == 0 }),
      !roots.contains(where: { access($0 + "/pids.max", F_OK) == 0 }),
      let machine = number("/proc/sys/kernel/threads-max"),
      let ids = number("/proc/sys/kernel/pid_max")
    else { return nil }
    let groups = groupFiles.compactMap(number)
    let account = geteuid() == 0 ? nil : processes(inLimits: limits)
    return (groups + [machine, ids] + [account].compactMap(\.self)).min().map { $0 - all }
  }()

  /// The limit that keeps this process from starting so many threads, and what raises it.
  static func reached(by needed: Int) -> String {
    let groups = groupFiles.compactMap { file -> Group? in
      guard let limit = number(file), let used = number(file.dropLast("max".count) + "current")
      else { return nil }
      return Group(limit: limit, used: used)
    }
    let processes = processes(inLimits: MemoryLimit.text("/proc/self/limits"))
    return name(groups, account: geteuid() == 0 ? nil : processes, needed: needed)
  }

  /// The files with the limits of the process's control groups. Without a limit a file says "max".
  private static var groupFiles: [String] {
    MemoryLimit.groupFiles(
      of: "pids", version1: "pids.max", version2: "pids.max",
      inCgroup: MemoryLimit.text("/proc/self/cgroup"))
  }

  private static func processes(inLimits text: String) -> Int? {
    MemoryLimit.value(of: "Max processes", inLimits: text)
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
