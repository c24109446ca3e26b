import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Calls that are handed back", .timeLimit(.minutes(20)))
struct HandBackTests {
  private let actorSystem = ClusterActorSystem(
    name: "engage", slots: 0, timeout: .seconds(5),
    registry: ScanRegistry([ProbeScan(host: "local", stage: Stage())]))

  @Test("A call that is handed back counts only for the connection that it was made on")
  func peer() async throws {
    let systems = Systems(actorSystem: actorSystem, clock: ManualClock())
    let hello = Hello(
      name: "b", incarnation: Incarnation(), slots: 1, timeout: .seconds(5),
      scans: [ProbeScan.kind])
    try await systems.joined(hello, at: "b:7000")
    let early = try await systems.commitment(for: ProbeScan.kind)
    await systems.left(hello.incarnation, reason: "cut")
    try await systems.joined(hello, at: "b:7000")
    await systems.handedBack(early.slot)
    #expect(await systems.counts(for: ProbeScan.kind, of: RunID()).serving == 1)
    let late = try await systems.commitment(for: ProbeScan.kind)
    await systems.handedBack(late.slot)
    #expect(await systems.counts(for: ProbeScan.kind, of: RunID()).serving == 0)
  }

  @Test("The local system gets tasks again if its slot came back before the call was handed back")
  func own() async throws {
    let local = ScanSystem(slots: 1, actorSystem: actorSystem, clock: ManualClock())
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: 1, clock: ManualClock())
    var changes = await systems.changes().makeAsyncIterator()
    let slot = try await systems.commitment(for: ProbeScan.kind).slot
    await systems.handedBack(slot)
    try #require(await systems.counts(for: ProbeScan.kind, of: RunID()).serving == 1)
    let own = Systems.Name(actorSystem.incarnation, "local")
    #expect(await changes.next() == .draining(own))
    #expect(await changes.next() == .serving(own))
  }

  @Test("If a call is handed back before the system says who drains it, people hear of both")
  func askedLater() async throws {
    let systems = Systems(actorSystem: actorSystem, clock: ManualClock())
    let hello = Hello(
      name: "b", incarnation: Incarnation(), slots: 1, timeout: .seconds(5),
      scans: [ProbeScan.kind])
    try await systems.joined(hello, at: "b:7000")
    var changes = await systems.changes().makeAsyncIterator()
    _ = await changes.next()
    for client in [nil, "ada", "ada"] { await systems.draining(hello.incarnation, by: client) }
    await systems.left(hello.incarnation, reason: "gone")
    let b = Systems.Name(hello.incarnation, "b")
    #expect(await changes.next() == .draining(b))
    #expect(await changes.next() == .draining(b, by: "ada"))
    guard case .disconnected = await changes.next() else {
      Issue.record("people hear of it a third time")
      return
    }
  }
}
