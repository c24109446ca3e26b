import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Impossible answers to a coordinator", .timeLimit(.minutes(20)))
struct ImpossibleAnswerTests {
  /// Answers of a lying node, each with the beginning of the reason that the attempt fails with.
  static let lies = [
    (#"{"kind":"probe/1","output":"nonsense","seconds":0,"queued":0}"#, "its answer cannot be: "),
    (#"{"kind":"probe/1","output":[1],"seconds":0,"queued":0}"#, "its answer cannot be read: "),
    (
      #"{"kind":"probe/1","output":"probed 1","seconds":-1,"queued":0}"#,
      "its answer cannot be read"
    ),
    (#"{"kind":"other/1","output":"","seconds":0,"queued":0}"#, "its answer cannot be read: "),
    ("lies", "its answer cannot be read: "),
  ]

  /// Runs 100 sectors on a good node, and on a lying one that answers each call with this JSON. Returns the
  /// failures, and how many calls the lying node got.
  private func run(
    besideLiar kind: FrameKind = .reply, answering json: String
  ) async throws -> (failures: [FailedAttempt], calls: Int) {
    let failures = Watched<[FailedAttempt]>([])
    let calls = Watched(0)
    try await TestCluster.with(nodes: ["c": 1]) { test, cluster in
      let received = try await test.lyingNode("liar", kind, answering: json)
      try await cluster.coordinator().waitForSystems(2)
      let (job, tally) = try await cluster.coordinator().run(
        CheckedJob(sectors: 100)
      ) { update in
        if case .retried(_, let failure) = update.event { failures.update { $0.append(failure) } }
      }
      #expect(job.outputs == job.expected)
      #expect(tally.completed == 100)
      calls.update { $0 = received.value.count }
    }
    return (failures.value, calls.value)
  }

  @Test(
    "After an impossible answer, the sector goes elsewhere and the circuit breaker counts a failure",
    arguments: lies)
  func lie(json: String, reason: String) async throws {
    let (failures, calls) = try await run(answering: json)
    #expect(failures.allSatisfy { $0.system == "liar" && $0.reason.hasPrefix(reason) })
    #expect(!failures.isEmpty)
    // Five calls failed in a row, and one more may have been on its way.
    #expect(calls <= 6)
  }

  @Test("An output of another kind of scan is an impossible answer")
  func anotherKind() async throws {
    let (failures, _) = try await run(
      answering:
        #"{"kind":"sum\/2","output":{"sum":1,"label":"","reversed":{"offset":0,"count":0}},"#
        + #""seconds":0,"queued":0}"#)
    #expect(
      failures.first?.reason
        == "its answer cannot be: it is of another kind of scan than probe/1")
  }

  @Test("A node that falsely answers that its calls were cancelled opens its circuit breaker")
  func cancelled() async throws {
    let (failures, calls) = try await run(
      besideLiar: .failure, answering: #"{"fault":"cancelled","message":"no","seconds":0}"#)
    #expect(!failures.isEmpty)
    #expect(calls <= 6)
  }

  @Test("The journal records an impossible answer as a failure")
  func isRecorded() async throws {
    try await TestCluster.with(local: 1) { test, cluster in
      _ = try await test.lyingNode("liar", answering: Self.lies[0].0)
      try await cluster.coordinator().waitForSystems(1)
      let journal = MemoryJournal()
      journal.commits.open()
      _ = try await cluster.coordinator().run(
        CheckedJob(sectors: 20), journal: Journal(journal))
      let endings = journal.entries.value.compactMap { entry -> AttemptOutcome? in
        if case .ended(_, let ending) = entry { ending } else { nil }
      }
      #expect(
        endings.contains(.refused(reason: "its answer cannot be: nonsense is no probe's")))
    }
  }

  @Test("An impossible output in the journal ends the run with a reason before any scan begins")
  func impossiblePast() async throws {
    let past = PastTask(
      id: TaskID(sector: 1), end: .accepted("old 1", system: "x", seconds: 2), story: TaskStory())
    try await TestCluster.with(local: 1) { test, cluster in
      let error = EngagementError.impossiblePast(sector: 1, reason: "old 1 is no probe's")
      await #expect(throws: error) {
        _ = try await cluster.coordinator().run(
          CheckedJob(sectors: 2), journal: Journal(MemoryJournal([past])))
      }
      #expect(test.stage.started.value.isEmpty)
      #expect("\(error)".contains("another --journal"))
    }
  }
}
