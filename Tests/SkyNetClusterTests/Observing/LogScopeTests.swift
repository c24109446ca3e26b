import Logging
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("What a log message belongs to", .timeLimit(.minutes(20)))
struct LogScopeTests {
  @Test("A message of a scan's own code names its run, its sector and its attempt, here and there")
  func scans() async throws {
    let log = LogRecord()
    let stage = Stage { visit in
      log.logger.info("looks at \(visit.sector)")
      if visit.sector == 1, log.entries.value.count < 3 { throw ProbeFailure() }
    }
    for (local, nodes) in [(1, [:]), (0, ["b": 1])] as [(Int, KeyValuePairs<String, Int>)] {
      log.entries.update { $0 = [] }
      let id = RunID()
      try await TestCluster.with(local: local, nodes: nodes, stage: stage) { _, cluster in
        _ = try await cluster.coordinator().run(ProbeJob(sectors: 2), id: id)
      }
      let texts = Set(log.entries.value.map(\.text))
      #expect(texts.contains("looks at 0 attempt=1 run=\(id) sector=0"), "\(texts)")
      #expect(texts.contains("looks at 1 attempt=1 run=\(id) sector=1"))
      #expect(texts.contains("looks at 1 attempt=2 run=\(id) sector=1"))
    }
  }

  @Test("A message of a job's own code does too")
  func jobs() async throws {
    let log = LogRecord()
    let id = RunID()
    try await TestCluster.with(nodes: ["b": 1]) { _, cluster in
      _ = try await cluster.coordinator().run(LoggingJob(sectorCount: 1, log: log), id: id)
    }
    #expect(log.entries.value.map(\.text) == ["makes 0 attempt=1 run=\(id) sector=0"])
  }
}

private struct LoggingJob: Job {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount: Int
  let log: LogRecord

  func sector(for task: TaskID) -> Int {
    log.logger.info("makes \(task.sector)")
    return task.sector
  }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
