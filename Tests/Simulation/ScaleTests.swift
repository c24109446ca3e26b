import Foundation
import SkyNetCore
import Testing

/// Many engagements over a thousand nodes, of which some die: the real decisions, in numbers that one machine has no
/// processes for. `Tests/run scale` prints the counts that docs/deploy/scale.md has.
@Suite(
  "Simulated scale", .enabled(if: engagements != nil, "Tests/run scale"))
struct ScaleTests {
  @Test("Every sector of many engagements over a thousand nodes ends once")
  func everySectorEndsOnce() throws {
    let engagements = try #require(engagements)
    let plan = Plan.crowd(nodes: 1000, engagements: engagements, sectors: 200)
    var world = World(seed: 1) { _ in plan }
    let violations = world.run(checkingEvery: 100_000)
    #expect(violations.isEmpty, "\(violations)")
    let sectors = plan.sectors.count * plan.coordinators
    let ended = world.coordinators.reduce(0) { $0 + $1.ended.count - $1.hopeless.count }
    #expect(ended == sectors)
    let attempts = world.coordinators.reduce(0) { $0 + $1.began }
    print(
      """
      \(ended) of \(sectors) sectors of \(plan.coordinators) engagements over \(plan.nodes.count) nodes,
      \(world.links.count) connections, \(world.links.count { $0.isUp }) at a time
      \(ratio(attempts, sectors)) attempts and \(ratio(world.messages, sectors)) messages a sector
      \(world.ended.inSeconds) s of virtual time, \(world.steps) events
      """)
  }

  private func ratio(_ count: Int, _ all: Int) -> String {
    String(format: "%.2f", Double(count) / Double(all))
  }
}

/// How many engagements there are.
private let engagements = ProcessInfo.processInfo.environment["SKYNET_SCALE"].flatMap { Int($0) }

extension Plan {
  /// Many engagements that share many nodes. In the first 20 seconds, one node in fifty dies every five seconds and is
  /// restarted, and another one in fifty loses its connections as often.
  fileprivate static func crowd(nodes: Int, engagements: Int, sectors: Int) -> Plan {
    var plan = Plan()
    plan.nodes = (0..<nodes).map { number in
      Node(
        slots: 4, life: number % 50 == 1 ? .seconds(5) : nil,
        cutEvery: number % 50 == 2 ? .seconds(5) : nil)
    }
    plan.isSupervised = true
    plan.coordinators = engagements
    plan.sectors = Array(repeating: .good, count: sectors)
    plan.scan = 1...3
    plan.throwing = 0.01
    plan.faultsEnd = Instant(sinceOrigin: .seconds(20))
    return plan
  }
}
