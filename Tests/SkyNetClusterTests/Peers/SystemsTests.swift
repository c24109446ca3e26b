import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Slots of the systems", .timeLimit(.minutes(20)))
struct SystemsTests {
  /// A handler that each look at it wraps in two more functions has no room on the stack in the end.
  @Test("A failed attempt costs the same however many have failed before")
  func pauseHandler() async throws {
    let actorSystem = ClusterActorSystem(
      name: "engage", slots: 0, timeout: .seconds(5),
      registry: ScanRegistry([ProbeScan(host: "local", stage: Stage())]))
    let local = ScanSystem(slots: 1, actorSystem: actorSystem, clock: ManualClock())
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: 1, clock: ManualClock())
    let slot = try await systems.commitment(for: ProbeScan.kind).slot
    try await systems.release(slot, .failed)
    for _ in 0..<100_000 {
      guard case .granted(let slots) = await systems.request(upTo: 1, for: ProbeScan.kind) else {
        Issue.record("the slot is not free")
        return
      }
      try await systems.release(slots[0].slot, .failed)
    }
  }

  /// A publisher once waited for the lock of a task that it woke, while that task, being cancelled, waited for
  /// the publisher's lock.
  @Test("Followers that are cancelled while changes are reported do not hold the actor up")
  func cancelledFollowers() async throws {
    let systems = Systems(
      actorSystem: ClusterActorSystem(
        name: "engage", slots: 0, timeout: .seconds(5), registry: ScanRegistry([])),
      clock: ManualClock())
    let id = Incarnation()
    try await systems.joined(
      Hello(name: "b", incarnation: id, slots: 1, timeout: .seconds(5), scans: []), at: "b:7000")
    for _ in 0..<2000 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let stream = await systems.changes()
          group.addTask { for await _ in stream {} }
        }
        let reporting = Task { for _ in 0..<20 { await systems.silent(id, for: nil) } }
        await Task.yield()
        group.cancelAll()
        await reporting.value
      }
    }
  }
}
