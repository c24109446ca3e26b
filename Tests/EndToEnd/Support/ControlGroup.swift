import Foundation
import Testing

/// A control group of version 1 or 2 with a limit.
struct ControlGroup {
  static let impossible: Comment = "no control groups that may be made here"

  private static let period = 100_000

  static func isPossible(_ make: () throws -> ControlGroup) -> Bool {
    guard let group = try? make() else { return false }
    group.remove()
    return true
  }

  let folder: String
  /// Whether it is of version 2.
  private let isSecond: Bool

  /// A group with a quota of processor time.
  init(processors: Double) throws {
    try self.init(of: "cpu")
    let quota = Int(processors * Double(Self.period))
    try limit(
      isSecond
        ? [("cpu.max", "\(quota) \(Self.period)")]
        : [("cpu.cfs_period_us", "\(Self.period)"), ("cpu.cfs_quota_us", "\(quota)")])
  }

  /// A group with a limit on its processes and threads.
  init(processes: Int) throws {
    try self.init(of: "pids")
    try limit([("pids.max", "\(processes)")])
  }

  private init(of controller: String) throws {
    let root = "/sys/fs/cgroup"
    isSecond = FileManager.default.fileExists(atPath: root + "/cgroup.controllers")
    folder = root + (isSecond ? "" : "/\(controller)") + "/skynet-test-\(UUID().uuidString)"
    guard mkdir(folder, 0o755) == 0 else { throw Unexpected("no group can be made") }
  }

  private func limit(_ settings: [(file: String, text: String)]) throws {
    do {
      for (file, text) in settings {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(file)"))
        defer { try? handle.close() }
        try handle.write(contentsOf: Data(text.utf8))
      }
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the group, in which no process may be left.
  func remove() { rmdir(folder) }
}
