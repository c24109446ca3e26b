import Foundation
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("A system's status", .timeLimit(.minutes(20)))
struct SystemStatusTests {
  @Test("A status counts scans by client, and the scans that threw")
  func numbers() async throws {
    let gate = Gate()
    let stage = Stage { visit in
      if visit.sector == 0 { throw ProbeFailure() }
      try await gate.pass()
    }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      await #expect(throws: CallFailure.self) { try await system.run(.probe(0)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sector in 1...3 { group.addTask { _ = try await system.run(.probe(sector)) } }
        try await until { try await system.count == 3 }
        let peers = await cluster.systems.connected
        let statuses = await cluster.statuses(of: peers, within: .seconds(5))
        let status = try #require(statuses[system.id])
        #expect(status.slots == 1)
        #expect(status.running == ["engage": 1])
        #expect(status.waiting == ["engage": 2])
        #expect(status.done.isEmpty, "the scan that threw has no result")
        #expect(status.retried == 1)
        #expect(status.clients == ["engage"])
        #expect(try #require(status.load) >= 0)
        gate.open()
        try await group.waitForAll()
      }
      let after = try await system.status()
      #expect(after.done == ["engage": 3] && after.running.isEmpty && after.retried == 1)
    }
  }

  @Test("The local system answers too, and counts a cancelled scan neither as done nor as retried")
  func local() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 2, stage: stage) { _, cluster in
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      let run = Task { try await system.run(.probe(1)) }
      try await gate.arrivals(atLeast: 1)
      run.cancel()
      _ = await run.result
      try await until { try await system.status().running.isEmpty }
      let status = try await system.status()
      #expect(status.slots == 2 && status.done.isEmpty && status.retried == 0)
    }
  }

  @Test("A peer that lacks the call, or answers nonsense or not at all, has no status")
  func unanswered() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let asked = Watched(0)
      let answers: KeyValuePairs<String, @Sendable (UInt64) -> Message?> = [
        "old": { call in
          let refusal = CallFailure(.system, "there is no method 3 to call")
          return Message(.failure, call: call, encoding: refusal)
        },
        "liar": { Message(.reply, call: $0, encoding: ["slots": -1]) },
        "mute": { _ in nil },
      ]
      for (host, answer) in answers {
        try await test.rawListener(host) { peer in
          peer.sayHello(name: host, slots: 1)
          Task {
            let call = try await peer.message(.call)
            #expect(call.target == CallTargets.status)
            if let message = answer(call.call) { peer.send(message) }
            asked.update { $0 += 1 }
          }
        }
        test.discovery.found(host, at: Endpoint(host: host, port: 7000))
      }
      try await cluster.coordinator().waitForSystems(4)
      let peers = await cluster.systems.connected
      let honest = peers.filter { $0.name == "b" }
      #expect(await cluster.statuses(of: honest, within: .milliseconds(10)).count == 1)
      let others = peers.filter { $0.name != "b" }
      async let statuses = cluster.statuses(of: others, within: .milliseconds(10))
      try await asked.wait { $0 == 3 }
      try await test.clock.sleepers(atLeast: 1, within: .milliseconds(10))
      test.clock.advance(by: .milliseconds(10))
      #expect(await statuses.isEmpty)
      #expect(await cluster.systems.connected.count == 4, "no peer is disconnected for that")
    }
  }

  @Test(
    "A status with impossible numbers cannot be decoded",
    arguments: [
      (#""failed":0"#, #""failed":-1"#), (#""load":0.5"#, #""load":-0.5"#),
      (#""load":0.5"#, #""load":1e300"#), (#"{"a":1}"#, #"{"a":9223372036854775807}"#),
      (#"{"a":1}"#, #"{"a":-1}"#), (#""slots":4"#, #""slots":1e18"#), (#""slots":4,"#, ""),
      (#""isDraining""#, #""drainedBy":"","isDraining""#),
    ])
  func impossible(possible: String, impossible: String) throws {
    let text =
      #"{"slots":4,"running":{"a":1},"waiting":{},"done":{},"failed":0,"load":0.5,"scans":[],"#
      + #""engagements":[],"isDraining":false}"#
    let coder = JSONDecoder()
    let status = try coder.decode(SystemStatus.self, from: Data(text.utf8))
    #expect(try coder.decode(SystemStatus.self, from: try JSONEncoder().encode(status)) == status)
    let changed = text.replacing(possible, with: impossible)
    try #require(changed != text)
    #expect(throws: DecodingError.self) {
      try coder.decode(SystemStatus.self, from: Data(changed.utf8))
    }
  }
}
