import Foundation

/// How much of the machine the control groups of this process leave to it (cgroups(7)), in version 1, version 2, or
/// both.
struct ControlGroupLimits: Hashable {
  /// For how many processors' time there is a quota; `nil` for no quota. It may be a fraction.
  var processors: Double?
  /// How many bytes of memory there are; `nil` for no limit.
  var memory: Int?

  /// The limits of this process.
  static var ofThisProcess: ControlGroupLimits {
    let read = { (file: String) in try? String(contentsOfFile: file, encoding: .utf8) }
    return ControlGroupLimits(membership: read("/proc/self/cgroup") ?? "", reading: read)
  }

  /// A limit of version 1 from here on stands for none: the kernel shows its greatest number of pages.
  private static let unlimited = 1 << 60
  /// Where the hierarchies of the two versions are mounted, by their controllers; those of version 2 have none.
  private static let root = "/sys/fs/cgroup"
  private static let mounts = [
    "": [root, root + "/unified"], "cpu": [root + "/cpu", root + "/cpu,cpuacct"],
    "memory": [root + "/memory"],
  ]

  /// - Parameters:
  ///   - membership: the text of `/proc/self/cgroup`.
  ///   - read: the text of a file; `nil` if there is none.
  init(membership: String, reading read: (String) -> String?) {
    for line in membership.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        for mount in Self.mounts[String(controller)] ?? [] {
          // A group is limited by those above it too. In a container they may not be there; its own group is
          // then the root of what it sees.
          for folder in Self.folders(parts[2], below: mount) { add(folder, read) }
        }
      }
    }
  }

  private mutating func add(_ folder: String, _ read: (String) -> String?) {
    func numbers(_ file: String) -> [Int?] {
      read("\(folder)/\(file)").map { $0.split(whereSeparator: \.isWhitespace).map { Int($0) } }
        ?? []
    }
    let quota = numbers("cpu.max")
    if quota.count == 2 { limit(quota: quota[0], period: quota[1]) }
    limit(
      quota: numbers("cpu.cfs_quota_us").first ?? nil,
      period: numbers("cpu.cfs_period_us").first ?? nil)
    for file in ["memory.max", "memory.limit_in_bytes"] {
      guard let bytes = numbers(file).first ?? nil, (1..<Self.unlimited).contains(bytes) else {
        continue
      }
      memory = min(memory ?? bytes, bytes)
    }
  }

  private mutating func limit(quota: Int?, period: Int?) {
    guard let quota, let period, quota > 0, period > 0 else { return }
    let share = Double(quota) / Double(period)
    processors = min(processors ?? share, share)
  }

  /// A folder and its ancestors, up to the root.
  private static func folders(_ path: Substring, below root: String) -> [String] {
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return (0...names.count).reversed().map { count in
      ([root] + names.prefix(count)).joined(separator: "/")
    }
  }
}
