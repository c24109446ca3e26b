import Foundation
import InMemoryTracing
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import SkyNetTransport
import Synchronization
import Testing
import Tracing

@testable import SkyNetCluster

/// The spans of an engagement over TCP, with a tracer of its own on either side.
@Suite("Spans", .timeLimit(.minutes(20)))
struct SpanTests {
  private static let ample = Duration.seconds(300)

  /// A tracer whose ids differ from those of others in this process.
  private func tracer(_ name: String) -> InMemoryTracer {
    let ids = InMemoryTracer.IDGenerator.incrementing
    return InMemoryTracer(
      idGenerator: .init(
        nextTraceID: { "\(name)-\(ids.nextTraceID())" },
        nextSpanID: { "\(name)-\(ids.nextSpanID())" }))
  }

  /// Runs a job over one node. A side without a tracer has none set.
  private func engage(
    sectors: Int, failing: Bool = false, node nodeTracer: InMemoryTracer?,
    coordinator tracer: InMemoryTracer?, run id: RunID = RunID()
  ) async throws -> Tally {
    let discovery = ManualDiscovery()
    let transport = TCPTransport(
      try TransportSecurity(key: ClusterKey()),
      unauthenticated: UnauthenticatedLimits(handshakeTimeout: Self.ample))
    let seen = Mutex<Set<Int>>([])
    let stage = Stage { visit in
      let isFirst = seen.withLock { $0.insert(visit.sector).inserted }
      if failing, isFirst { throw CallFailure(.task, "a failure") }
    }
    func makeNode() -> Node {
      Node(
        NodeSettings(
          name: "b", slots: 2, endpoint: Endpoint(host: "127.0.0.1", port: 0), timeout: Self.ample),
        scans: [ProbeScan(host: "b", stage: stage)], transport: Transport(transport),
        logger: LogRecord().logger
      ) { name, endpoint in
        discovery.found(name, at: endpoint)
      }
    }
    let node = nodeTracer.map { withTracer($0) { makeNode() } } ?? makeNode()
    let running = Task { try await node.run() }
    defer { running.cancel() }
    @Sendable func run() async throws -> Tally {
      try await Cluster.with(
        ClusterSettings(name: "ada", localSlots: 0, timeout: Self.ample),
        scans: [ProbeScan(host: "local", stage: stage)], discoveries: [discovery],
        transport: Transport(transport), logger: LogRecord().logger
      ) { cluster in
        try await cluster.coordinator().waitForSystems(1, timeout: Self.ample)
        return try await cluster.coordinator().run(ProbeJob(sectors: sectors), id: id).tally
      }
    }
    guard let tracer else { return try await run() }
    return try await withTracer(tracer) { try await run() }
  }

  private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
    switch span.attributes.get(name) {
    case .string(let text): text
    case .int64(let number): "\(number)"
    default: nil
    }
  }

  @Test("A scan's span belongs to its attempt's, and that to the engagement's, across the wire")
  func spansBelongTogether() async throws {
    let (here, there, id) = (tracer("here"), tracer("there"), RunID())
    #expect(try await engage(sectors: 20, node: there, coordinator: here, run: id).completed == 20)

    let engagement = try #require(
      here.finishedSpans.first { $0.operationName == "skynet.engagement" })
    #expect(engagement.parentSpanID == nil)
    #expect(text(engagement, "skynet.run") == "\(id)")
    #expect(text(engagement, "skynet.sectors") == "20")

    let attempts = here.finishedSpans.filter { $0.operationName == "skynet.attempt" }
    #expect(attempts.count >= 20)
    for attempt in attempts {
      #expect(attempt.parentSpanID == engagement.spanID && attempt.traceID == engagement.traceID)
      #expect(text(attempt, "skynet.system") == "b" && attempt.kind == .client)
    }
    let sectors = Set(attempts.compactMap { text($0, "skynet.sector") })
    #expect(sectors == Set((0..<20).map { "\($0)" }))

    let scans = there.finishedSpans
    #expect(scans.count >= 20)
    let attemptIDs = Dictionary(
      uniqueKeysWithValues: attempts.map { ($0.spanID, text($0, "skynet.sector")) })
    for scan in scans {
      #expect(scan.operationName == "skynet.scan" && scan.kind == .server)
      #expect(scan.traceID == engagement.traceID)
      #expect(text(scan, "skynet.run") == "\(id)" && text(scan, "skynet.client") == "ada")
      let parent = try #require(scan.parentSpanID)
      #expect(attemptIDs[parent] == text(scan, "skynet.sector"))
    }
    #expect(here.activeSpans.isEmpty && there.activeSpans.isEmpty)
  }

  @Test("Failed scans and attempts are errors, and their second attempts are not")
  func failuresAreErrors() async throws {
    let (here, there) = (tracer("here"), tracer("there"))
    #expect(
      try await engage(sectors: 3, failing: true, node: there, coordinator: here).retried == 3)
    let attempts = here.finishedSpans.filter { $0.operationName == "skynet.attempt" }
    #expect(attempts.count { $0.status?.code == .error } == 3)
    #expect(attempts.count { $0.status == nil } >= 3)
    #expect(there.finishedSpans.count { $0.status?.code == .error } == 3)
    #expect(
      there.finishedSpans.contains { $0.errors.contains { "\($0.error)".contains("a failure") } })
  }

  @Test("A tracer on one side alone serves that side, and none leaves no trace on the wire")
  func oneSideAlone() async throws {
    let here = tracer("here")
    #expect(try await engage(sectors: 5, node: nil, coordinator: here).completed == 5)
    #expect(here.finishedSpans.count { $0.operationName == "skynet.attempt" } >= 5)
    #expect(!here.finishedSpans.contains { $0.operationName == "skynet.scan" })

    let there = tracer("there")
    #expect(try await engage(sectors: 5, node: there, coordinator: nil).completed == 5)
    #expect(there.finishedSpans.count >= 5)
    // Each is the root of a trace of its own.
    #expect(there.finishedSpans.allSatisfy { $0.parentSpanID == nil })
    #expect(Set(there.finishedSpans.map(\.traceID)).count == there.finishedSpans.count)
  }
}
