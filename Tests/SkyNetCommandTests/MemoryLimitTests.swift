import Testing

@testable import SkyNetCommand

@Suite("Memory limits and needs")
struct MemoryLimitTests {
  private let limits = """
    Limit                     Soft Limit           Hard Limit           Units
    Max cpu time              unlimited            unlimited            seconds
    Max address space         419430400            unlimited            bytes
    Max file locks            unlimited            unlimited            locks
    """

  @Test("The process's limits are read by their titles")
  func theProcessesLimitsAreReadByTheirTitles() {
    #expect(MemoryLimit.value(of: "Max address space", inLimits: limits) == 419_430_400)
    #expect(MemoryLimit.value(of: "Max cpu time", inLimits: limits) == nil)
    #expect(MemoryLimit.value(of: "Max address space", inLimits: "") == nil)
  }

  @Test("The limits of a control group include those of its ancestors")
  func controlGroupsAreThoseAboveToo() {
    #expect(
      MemoryLimit.groupLimits(inCgroup: "0::/user.slice/a.scope\n") == [
        "/sys/fs/cgroup/user.slice/a.scope/memory.max", "/sys/fs/cgroup/user.slice/memory.max",
        "/sys/fs/cgroup/memory.max",
      ])
    #expect(MemoryLimit.groupLimits(inCgroup: "0::/\n") == ["/sys/fs/cgroup/memory.max"])
    #expect(MemoryLimit.groupLimits(inCgroup: "nothing\n") == [])
  }

  @Test("The first version of control groups has its own limits")
  func theFirstVersionOfControlGroupsHasLimitsOfItsOwn() {
    #expect(
      MemoryLimit.groupLimits(inCgroup: "5:cpu,cpuacct:/b\n4:memory:/a\n0::/c\n") == [
        "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/c/memory.max", "/sys/fs/cgroup/memory.max",
      ])
  }

  private func limit(_ measure: MemoryLimit.Measure) -> MemoryLimit {
    MemoryLimit(limit: 400 << 20, used: 100 << 20, name: "a limit", measure: measure)
  }

  /// Shared memory does not count as data, and only touched pages of a stack are resident.
  @Test(
    "Each limit counts memory by its own measure",
    arguments: [
      (MemoryLimit.Measure.addresses, 100 + 60 + 5 * 8), (.data, 100 + 5 * 8), (.pages, 100 + 60),
    ])
  func eachLimitCountsInItsOwnWay(measure: MemoryLimit.Measure, mebibytes: Int) {
    let need = MemoryNeed(own: 100 << 20, shared: 60 << 20, threads: 5)
    #expect(need.bytes(by: measure, stack: 8 << 20) == mebibytes << 20)
  }

  @Test("A shortage's message names the need and the limit")
  func aShortageNamesBothFigures() throws {
    try MemoryShortage.check(
      "a.fits", MemoryNeed(own: 268 << 20, threads: 4), remedy: "", limits: [limit(.addresses)],
      stack: 8 << 20)
    let error = #expect(throws: MemoryShortage.self) {
      try MemoryShortage.check(
        "a.fits: to scan it", MemoryNeed(own: 268 << 20, threads: 5),
        remedy: "fewer --slots, or --no-local",
        limits: [limit(.addresses)], stack: 8 << 20)
    }
    #expect(
      error?.description == "a.fits: to scan it takes at least 408 MiB here, and a limit is 400 "
        + "MiB: raise that, or give fewer --slots, or --no-local")
  }

  @Test("A node without --slots has as many as there is memory for")
  func fittingSlots() throws {
    let limits = [limit(.addresses)]
    let fitting = try MemoryShortage.fittingSlots(
      upTo: 1000, limits: limits, stack: 8 << 20, beside: 4)
    #expect((1..<1000).contains(fitting.count) && fitting.limit == "a limit")
    try MemoryShortage.checkSlots(fitting.count, limits: limits, stack: 8 << 20, beside: 4)
    let error = #expect(throws: MemoryShortage.self) {
      try MemoryShortage.checkSlots(fitting.count + 1, limits: limits, stack: 8 << 20, beside: 4)
    }
    #expect(error?.remedy == "at most --slots \(fitting.count)")
    let one = try MemoryShortage.fittingSlots(upTo: 1, limits: limits, stack: 8 << 20, beside: 4)
    #expect(one.count == 1 && one.limit == nil)
  }

  @Test("Fewer slots are no remedy where not even one has memory")
  func noRemedy() {
    let group = MemoryLimit(limit: 12 << 20, used: 11 << 20, name: "its group", measure: .pages)
    for slots in [1, 4] {
      let error = #expect(throws: MemoryShortage.self) {
        try MemoryShortage.checkSlots(slots, limits: [group], stack: 8 << 20)
      }
      #expect(error?.remedy == nil)
    }
    #expect(throws: MemoryShortage.self) {
      try MemoryShortage.fittingSlots(upTo: 4, limits: [group], stack: 8 << 20)
    }
  }
}
