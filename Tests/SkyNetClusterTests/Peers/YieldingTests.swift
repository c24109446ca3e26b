import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite(
  "Programs that use a node on their machine instead of their own slots", .timeLimit(.minutes(20)))
struct YieldingTests {
  private let actorSystem: ClusterActorSystem
  private let local: ScanSystem
  private let systems: Systems

  init() {
    let registry = ScanRegistry([ProbeScan(host: "local", stage: Stage())])
    actorSystem = ClusterActorSystem(
      name: "engage", slots: 0, timeout: .seconds(5), registry: registry)
    local = ScanSystem(slots: 4, actorSystem: actorSystem)
    systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: 4, yieldsToNodesHere: true)
  }

  private func hello(
    _ name: String, namespace: String? = NetworkNamespace.id,
    scans: [ScanKind] = [ProbeScan.kind, ScanKind(name: "other", version: 1)]
  ) -> Hello {
    Hello(
      name: name, incarnation: Incarnation(), slots: 2, timeout: .seconds(5), scans: scans,
      networkNamespace: namespace)
  }

  private var own: Systems.Name { Systems.Name(actorSystem.incarnation, "local") }

  @Test("The own slots are not used while a node of the same network namespace is connected")
  func yields() async throws {
    var changes = await systems.changes().makeAsyncIterator()
    let (a, b) = (hello("a"), hello("b"))
    try await systems.joined(a, at: "127.0.0.1:1")
    _ = await changes.next()
    #expect(
      await changes.next() == .yielding(own, to: "a", nodeSlots: 2, slots: 4))
    try await systems.joined(b, at: "127.0.0.1:2")
    _ = await changes.next()
    #expect(await systems.draining == [own])
    // A run that begins now hears of it too.
    var later = await systems.changes().makeAsyncIterator()
    for _ in 0..<2 { _ = await later.next() }
    #expect(
      await later.next() == .yielding(own, to: "a", nodeSlots: 2, slots: 4))

    await systems.draining(a.incarnation)
    #expect(
      await changes.next() == .yielding(own, to: "b", nodeSlots: 2, slots: 4),
      "nobody is told that a still does the work")
    _ = await changes.next()
    #expect(await !systems.draining.isEmpty, "b still does the work")
    await systems.left(b.incarnation, reason: "gone")
    #expect(
      await changes.next() == .serving(own),
      "before the loss is told, so that there always is a system")
    #expect(await systems.counts(for: ProbeScan.kind, of: RunID()).serving == 1)
  }

  @Test("A node whose last process died young is given nothing instead of the own slots")
  func diesYoung() async throws {
    try await systems.joined(hello("a"), at: "127.0.0.1:1")
    let first = try await systems.commitment(for: ProbeScan.kind)
    let connected = try #require(await systems.connected.first)
    #expect(first.slot.system == connected.incarnation)
    await systems.left(connected.incarnation, reason: "gone")
    var changes = await systems.changes().makeAsyncIterator()
    try await systems.joined(hello("a"), at: "127.0.0.1:2")
    _ = await changes.next()
    guard case .paused = await changes.next() else {
      Issue.record("the node is not paused")
      return
    }
    #expect(await systems.draining.isEmpty, "the own slots serve")
    let next = try await systems.commitment(for: ProbeScan.kind)
    #expect(next.slot.system == actorSystem.incarnation)
  }

  @Test("The own slots serve while a node that fails whatever it is given is paused")
  func failing() async throws {
    let a = hello("a")
    try await systems.joined(a, at: "127.0.0.1:1")
    var changes = await systems.changes().makeAsyncIterator()
    for _ in 0..<2 { _ = await changes.next() }
    for _ in 0..<5 {
      let slot = try await systems.commitment(for: ProbeScan.kind).slot
      #expect(slot.system == a.incarnation)
      try await systems.release(slot, .failed)
    }
    #expect(await changes.next() == .serving(own))
    #expect(await systems.draining.isEmpty)
    let slot = try await systems.commitment(for: ProbeScan.kind).slot
    #expect(slot.system == actorSystem.incarnation)
  }

  @Test("A node elsewhere, of unknown place, or without the scan, does not count")
  func others() async throws {
    try await systems.joined(hello("a", namespace: "0123456789abcdef"), at: "127.0.0.1:1")
    try await systems.joined(hello("b", namespace: nil), at: "127.0.0.1:2")
    try await systems.joined(hello("c", scans: []), at: "127.0.0.1:3")
    #expect(await systems.draining.isEmpty)
  }

  @Test("No node stands in for scans that leave the processor idle")
  func idle() async throws {
    let actorSystem = ClusterActorSystem(
      name: "engage", slots: 0, timeout: .seconds(5), registry: ScanRegistry([WaitingScan()]))
    let systems = Systems(
      actorSystem: actorSystem, local: ScanSystem(slots: 4, actorSystem: actorSystem),
      localSlots: 4, yieldsToNodesHere: true)
    try await systems.joined(hello("a", scans: [WaitingScan.kind]), at: "127.0.0.1:1")
    #expect(await systems.draining.isEmpty)
    #expect(await systems.counts(for: WaitingScan.kind, of: RunID()).serving == 2)
  }

  @Test("A process has one network namespace, and its digest has 16 digits")
  func digest() {
    #expect(NetworkNamespace.digest(of: "") == "cbf29ce484222325")
    #expect(NetworkNamespace.digest(of: "a") == "af63dc4c8601ec8c")
    #expect(NetworkNamespace.id.map(\.count) ?? 16 == 16)
  }
}

/// A scan that only waits.
private struct WaitingScan: Scan {
  static let kind = ScanKind(name: "waiting", version: 1)
  static let keepsProcessorBusy = false

  func run(_ sector: Int, settings: NoSettings) async throws -> Int { sector }
}
