import Testing

@testable import SkyNetKit

@Suite("The number of slots that a process has by default")
struct DefaultSlotsTests {
  private static func limits(_ membership: String, _ files: [String: String]) -> ControlGroupLimits
  {
    ControlGroupLimits(membership: membership) { files[$0] }
  }

  private static func slots(
    cores: Int = 8, processors: Double? = nil, memory: Int? = nil
  ) -> DefaultSlots {
    var limits = ControlGroupLimits(membership: "") { _ in nil }
    limits.processors = processors
    limits.memory = memory
    return DefaultSlots(cores: cores, limits: limits)
  }

  @Test("Version 2 has a quota and a limit, also in the groups above")
  func version2() {
    let limits = Self.limits(
      "0::/pods/one\n",
      [
        "/sys/fs/cgroup/pods/one/cpu.max": "max 100000\n",
        "/sys/fs/cgroup/pods/cpu.max": "150000 100000\n",
        "/sys/fs/cgroup/pods/one/memory.max": "268435456\n",
        "/sys/fs/cgroup/pods/memory.max": "max\n",
        "/sys/fs/cgroup/memory.max": "1073741824\n",
      ])
    #expect(limits.processors == 1.5 && limits.memory == 256 << 20)
  }

  @Test("Version 1 has its own files, and numbers that stand for no limit")
  func version1() {
    let membership = "4:memory:/a/b\n2:cpu,cpuacct:/a\n0::/\n"
    #expect(
      Self.limits(
        membership,
        [
          "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "50000\n",
          "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
          "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "134217728\n",
        ])
        == Self.limits(
          "0::/",
          ["/sys/fs/cgroup/cpu.max": "50000 100000", "/sys/fs/cgroup/memory.max": "134217728"]))
    let none = Self.limits(
      membership,
      [
        "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "-1\n",
        "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
        "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
      ])
    #expect(none.processors == nil && none.memory == nil)
  }

  @Test(
    "What cannot be read is no limit",
    arguments: ["", "garbage\n", "0:/:\n", "0::/x\n", "3:cpu:/../..\n"])
  func garbage(membership: String) {
    let limits = ControlGroupLimits(membership: membership) { _ in "one two\n" }
    #expect(limits.processors == nil)
  }

  @Test(
    "A quota is rounded to slots, of which there is one at least",
    arguments: [(0.2, 1), (1.0, 1), (1.4, 1), (1.5, 2), (2.0, 2), (7.6, 8), (64, 8), (1e300, 8)])
  func quota(processors: Double, count: Int) {
    let slots = Self.slots(processors: processors)
    #expect(slots.count == count)
    #expect((slots.limit != nil) == (count < 8))
  }

  @Test("Without limits there are as many slots as cores, and 4 at least")
  func unlimited() {
    #expect(Self.slots(cores: 2).count == 4 && Self.slots(cores: 16).count == 16)
    #expect(Self.slots(cores: 2).limit == nil)
  }

  @Test("A limit is named, and of two the tighter one")
  func named() {
    #expect(Self.slots(processors: 1.5).limit == "its control group's CPU quota of 1.5")
    let slots = Self.slots(processors: 6, memory: 64 << 20)
    #expect(slots.count == 2 && slots.limit == "its control group's memory limit of 64 MiB")
    #expect(Self.slots(memory: 1 << 20).count == 1)
  }
}
