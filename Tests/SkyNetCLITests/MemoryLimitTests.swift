import Testing

@testable import SkyNetCLI

@Suite("What a process may have is read, and compared with what a scan cannot do without")
struct MemoryLimitTests {
  private let limits = """
    Limit                     Soft Limit           Hard Limit           Units
    Max cpu time              unlimited            unlimited            seconds
    Max address space         419430400            unlimited            bytes
    Max file locks            unlimited            unlimited            locks
    """

  @Test func theAddressSpaceIsOneOfTheLimits() {
    #expect(MemoryLimit.addressSpace(inLimits: limits) == 419_430_400)
    let unlimited = limits.replacing("419430400", with: "unlimited")
    #expect(MemoryLimit.addressSpace(inLimits: unlimited) == nil)
    #expect(MemoryLimit.addressSpace(inLimits: "") == nil)
  }

  @Test func controlGroupsAreThoseAboveToo() {
    #expect(
      MemoryLimit.groups(inCgroup: "0::/user.slice/a.scope\n") == [
        "/sys/fs/cgroup/user.slice/a.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup",
      ])
    #expect(MemoryLimit.groups(inCgroup: "0::/\n") == ["/sys/fs/cgroup"])
    #expect(MemoryLimit.groups(inCgroup: "12:memory:/a\n") == [])
  }

  @Test func aShortageNamesBothFigures() throws {
    let most = 400 << 20
    func limit(countsStacks: Bool) -> MemoryLimit {
      MemoryLimit(most: most, used: 100 << 20, name: "a limit", countsStacks: countsStacks)
    }
    try MemoryShortage.check(
      "a.fits", bytes: 268 << 20, threads: 4, limits: [limit(countsStacks: true)])
    let error = #expect(throws: MemoryShortage.self) {
      try MemoryShortage.check(
        "a.fits", bytes: 268 << 20, threads: 5, limits: [limit(countsStacks: true)])
    }
    #expect(
      error?.description == "a.fits: to scan it takes at least 408 MiB here, and a limit is 400 "
        + "MiB: raise that, or give fewer --slots, or --no-local")
    try MemoryShortage.check(
      "a.fits", bytes: 300 << 20, threads: 100, limits: [limit(countsStacks: false)])
  }
}
