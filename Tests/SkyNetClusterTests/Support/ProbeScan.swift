import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

/// A scan whose behaviour a test decides, for each sector and each host.
struct ProbeScan: Scan {
  static let kind = ScanKind(name: "probe", version: 1)

  let host: String
  let stage: Stage

  func run(_ sector: Int, settings: String) async throws -> String {
    try await run(sector, settings: settings, on: ScanAttempt())
  }

  func run(_ sector: Int, settings: String, on attempt: ScanAttempt) async throws -> String {
    stage.attempts.update { $0[host, default: []].append(attempt) }
    let client = CallContext.current?.clientName ?? "nobody"
    try await stage.scan(Visit(sector: sector, host: host, client: client))
    return "\(settings) \(sector)"
  }

  func timeLimit(_ sector: Int, settings: String) -> Duration? { stage.limit }
}

/// One run of a probe.
struct Visit: Hashable, Sendable {
  let sector: Int
  let host: String
  let client: String
}

/// Decides what the probes do, and records their runs.
final class Stage: Sendable {
  let started = Watched<[Visit]>([])
  let finished = Watched<[Visit]>([])
  /// The runs that threw after their task was cancelled.
  let cancelled = Watched<[Visit]>([])
  /// What the runs on each host were told of their attempts.
  let attempts = Watched<[String: [ScanAttempt]]>([:])
  /// The time limit of the probes' own kind.
  let limit: Duration?
  private let act: @Sendable (Visit) async throws -> Void

  init(limit: Duration? = nil, _ act: @escaping @Sendable (Visit) async throws -> Void = { _ in }) {
    self.limit = limit
    self.act = act
  }

  func scan(_ visit: Visit) async throws {
    started.update { $0.append(visit) }
    do {
      try await act(visit)
    } catch {
      if Task.isCancelled { cancelled.update { $0.append(visit) } }
      throw error
    }
    finished.update { $0.append(visit) }
  }
}

/// The error that a probe throws when a test wants it to fail.
struct ProbeFailure: Error, CustomStringConvertible {
  var description: String { "the probe broke" }
}

/// A job of probes, which keeps every output that it receives.
struct ProbeJob: Job {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount: Int
  let isLight: Bool
  let mayRunTwice: Bool
  private(set) var outputs: [Int: [String]] = [:]

  init(sectors: Int, isLight: Bool = false, mayRunTwice: Bool = true) {
    sectorCount = sectors
    self.isLight = isLight
    self.mayRunTwice = mayRunTwice
  }

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    outputs[task.sector, default: []].append(output)
    return ReceivedResult(result: output)
  }

  /// The `outputs` after the job has received one output of each sector.
  var expected: [Int: [String]] {
    Dictionary(uniqueKeysWithValues: (0..<sectorCount).map { ($0, ["\(settings) \($0)"]) })
  }
}

extension ScanTask {
  static func probe(_ sector: Int) -> ScanTask {
    ScanTask(
      TaskID(sector: sector), of: RunID(number: 1), for: ProbeScan.self, settings: "probed",
      sector: sector)
  }
}
