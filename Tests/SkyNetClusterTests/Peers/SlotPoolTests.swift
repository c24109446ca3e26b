import SkyNetCore
import SkyNetTestKit
import TestSupport
import Testing

@testable import SkyNetCluster

@Suite("Slot pools", .timeLimit(.minutes(20)), .inTurn)
struct SlotPoolTests {
  /// A handler that each look at it wraps in two more functions has no room on the stack in the end.
  @Test("A failed attempt costs the same however many have failed before")
  func pauseHandler() async throws {
    let actorSystem = ClusterActorSystem(
      name: "engage", slots: 0, timeout: .seconds(5),
      registry: ScanRegistry([ProbeScan(host: "local", stage: Stage())]))
    let local = ScanSystem(slots: 1, actorSystem: actorSystem, clock: ManualClock())
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: 1, clock: ManualClock())
    let slot = try await systems.firstAvailableSystem(for: ProbeScan.kind).slot
    try systems.release(slot, .failed)
    for _ in 0..<100_000 {
      let request = systems.slots.request(upTo: 1, for: ProbeScan.kind)
      let slot = try #require(request.granted?.first?.slot)
      try systems.release(slot, .failed)
    }
  }
}
