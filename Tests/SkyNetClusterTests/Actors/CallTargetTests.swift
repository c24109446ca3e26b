import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("The numbers of call targets", .timeLimit(.minutes(20)))
struct CallTargetTests {
  @Test("The table has the identifiers that the compiler gives to calls")
  func identifiers() async throws {
    try await TestCluster.with { test, cluster in
      // The test answers this peer's calls by hand.
      let peers = Watched<[RawPeer]>([])
      try await test.rawListener("b") { peer in
        peer.sayHello(slots: 1)
        peers.update { $0.append(peer) }
      }
      test.discovery.found("b", at: Endpoint(host: "b", port: 7000))
      try await cluster.coordinator().waitForSystems(1)
      let peer = try await peers.take { $0.first }
      let commitment = try await cluster.systems.commitment(for: ProbeScan.kind)

      // A call whose target is not in the table would fail here, before it is sent.
      let count = Task { try await commitment.system.count }
      let countCall = try await peer.message(.call)
      #expect(countCall.target == CallTargets.count)
      peer.send(Message(.reply, call: countCall.call, encoding: 7))
      #expect(try await count.value == 7)

      let status = Task { try await commitment.system.status() }
      let statusCall = try await peer.received.take { messages in
        messages.last { $0.kind == .call && $0.call != countCall.call }
      }
      #expect(statusCall.target == CallTargets.status)
      peer.send(Message(.failure, call: statusCall.call, encoding: CallFailure(.system, "no")))
      await #expect(throws: CallFailure(.system, "no")) { try await status.value }

      let task = ScanTask.probe(1)
      let run = Task { try await commitment.system.run(task) }
      let runCall = try await peer.received.take { messages in
        messages.last { $0.kind == .call && $0.call > statusCall.call }
      }
      #expect(runCall.target == CallTargets.run)
      // The caller waits, and its sector may be large.
      #expect(throws: CallFailure(.system, "the sector was sent already")) { try task.work }
      peer.send(Message(.failure, call: runCall.call, encoding: CallFailure(.task, "no")))
      await #expect(throws: CallFailure(.task, "no")) { try await run.value }
    }
  }

  @Test("A call with an unknown number is refused, and the connection stays open")
  func unknownNumber() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      let peer = try await test.rawPeer(to: "b")
      peer.sayHello()
      _ = try await peer.message(.hello)
      peer.send(Message(.call, target: 99, call: 5))
      let failure = try await peer.message(.failure)
      #expect(failure.call == 5)
      let reason = try failure.decodeBody(CallFailure.self)
      #expect(reason.fault == .system)
      #expect(reason.message.contains("99"))
      peer.send(Message(.ping))
      _ = try await peer.message(.pong)
    }
  }

  @Test("A call whose argument cannot be decoded fails as the system's fault")
  func badArguments() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      let peer = try await test.rawPeer(to: "b")
      peer.sayHello()
      _ = try await peer.message(.hello)
      peer.send(Message(.call, target: CallTargets.run, call: 5, encoding: ["no task"]))
      let reason = try await peer.message(.failure).decodeBody(CallFailure.self)
      #expect(reason.fault == .system)
    }
  }
}

extension Message {
  init(_ kind: FrameKind, target: UInt8, call: UInt64, encoding value: some Encodable) {
    self.init(kind, call: call, encoding: value)
    self.target = target
  }
}
