import Testing

@testable import SkyNetCommand

@Suite("As many nodes as there is work for")
struct AdaptivePolicyTests {
  private typealias Observation = AdaptivePolicy.Observation

  private static func policy(_ limits: ClosedRange<Int>) -> AdaptivePolicy {
    AdaptivePolicy(limits: limits, slots: 4, stayingName: "min")
  }

  private static func jobs(
    _ count: Int, _ state: String = "RUNNING", name: String = "node", from first: Int = 1
  ) -> [SlurmJob] {
    (first..<first + count).map { number in
      SlurmJob(
        id: "\(number)", number: "\(number)", state: state, reason: "", name: name, directory: "/")
    }
  }

  @Test("Without work there is the least number, whose nodes stay")
  func beginning() {
    var policy = Self.policy(2...8)
    #expect(policy.saw(Observation(jobs: [])) == [.submit(staying: 2, leaving: 0)])
    #expect(policy.saw(Observation(jobs: Self.jobs(2, "PENDING", name: "min"))) == [])
  }

  @Test(
    "The work is divided by the slots of a node, within the limits",
    arguments: [(0, 1), (1, 1), (4, 1), (5, 2), (32, 8), (1000, 8)])
  func wanted(tasks: Int, nodes: Int) {
    var policy = Self.policy(1...8)
    _ = policy.saw(Observation(tasksLeft: tasks, jobs: []))
    #expect(policy.wanted == nodes)
  }

  @Test("Nodes with more slots than were asked for count for more")
  func slots() {
    var policy = Self.policy(1...8)
    _ = policy.saw(Observation(tasksLeft: 32, jobs: [], slots: 16))
    #expect(policy.wanted == 2)
  }

  @Test("Jobs that were preempted, cancelled or timed out are replaced, and named")
  func replaced() {
    var policy = Self.policy(0...4)
    let all = Self.jobs(4)
    #expect(policy.saw(Observation(tasksLeft: 100, jobs: all)) == [])
    let jobs =
      Array(all.prefix(1)) + Self.jobs(1, "PREEMPTED", from: 2) + Self.jobs(1, "TIMEOUT", from: 3)
      + Self.jobs(1, "COMPLETED", from: 4)
    #expect(
      policy.saw(Observation(tasksLeft: 100, jobs: jobs)) == [
        .ended("2", state: "PREEMPTED"), .ended("3", state: "TIMEOUT"),
        .submit(staying: 0, leaving: 3),
      ])
  }

  @Test(
    "A node that leaves is replaced before its job ends, but there are never more than the most")
  func leaving() {
    var policy = Self.policy(0...4)
    let three = Observation(tasksLeft: 9, jobs: Self.jobs(3), leaving: ["1"])
    #expect(policy.saw(three) == [.submit(staying: 0, leaving: 1)])
    let four = Observation(tasksLeft: 100, jobs: Self.jobs(4), leaving: ["1", "2"])
    #expect(policy.saw(four) == [])
  }

  @Test("A suspended job counts as a job, and not as a node")
  func suspended() {
    var policy = Self.policy(0...4)
    let jobs = Self.jobs(2) + Self.jobs(1, "SUSPENDED", from: 3)
    #expect(
      policy.saw(Observation(tasksLeft: 100, jobs: jobs)) == [.submit(staying: 0, leaving: 1)])
  }

  @Test("Pending jobs that are not needed are cancelled when the surplus lasts")
  func surplus() {
    var policy = Self.policy(1...8)
    let jobs =
      Self.jobs(1, name: "min") + Self.jobs(2, from: 2) + Self.jobs(3, "PENDING", from: 4)
    let seen = Observation(tasksLeft: 8, jobs: jobs)
    #expect(policy.saw(seen) == [])
    #expect(policy.saw(seen) == [])
    #expect(policy.saw(seen) == [.cancel(["4", "5", "6"])])
    // Their end is no news.
    let ended = Observation(
      tasksLeft: 8, jobs: Array(jobs.prefix(3)) + Self.jobs(3, "CANCELLED", from: 4))
    #expect(policy.saw(ended) == [])
    // Work that comes back in time keeps them.
    var other = Self.policy(1...8)
    for tasks in [8, 8, 24, 8, 8] {
      #expect(other.saw(Observation(tasksLeft: tasks, jobs: jobs)) == [])
    }
  }

  @Test("The work that was left is remembered while no system tells")
  func untold() {
    var policy = Self.policy(1...4)
    _ = policy.saw(Observation(tasksLeft: 100, jobs: Self.jobs(4)))
    let all = Self.jobs(4, "NODE_FAIL")
    let actions = policy.saw(Observation(tasksLeft: nil, jobs: all))
    #expect(actions.last == .submit(staying: 1, leaving: 3))
  }

  @Test("After three jobs that failed before a node was there, it gives up")
  func failures() {
    var policy = Self.policy(1...4)
    // Those of an earlier command do not count.
    _ = policy.saw(Observation(jobs: Self.jobs(5, "FAILED", from: 10)))
    _ = policy.saw(Observation(jobs: Self.jobs(2, "FAILED")))
    let actions = policy.saw(Observation(jobs: Self.jobs(3, "FAILED")))
    #expect(actions == [.ended("3", state: "FAILED"), .giveUp(failures: 3, lastNumber: "3")])
    // Where nodes come, failures are told and no more.
    var other = Self.policy(1...4)
    _ = other.saw(Observation(jobs: []))
    let seen = Observation(
      tasksLeft: 0, jobs: Self.jobs(3, "FAILED") + Self.jobs(1, name: "min", from: 4),
      connected: ["4"])
    #expect(!other.saw(seen).contains { if case .giveUp = $0 { true } else { false } })
  }
}
